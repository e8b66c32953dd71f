import { AUTH_STATUS } from '@/constants'
import type { TextKey } from '@/i18n/i18n'

export type AuthState = {
  text: TextKey
  tone: 'success' | 'warning' | 'error' | 'neutral'
  /** The screen for the next step. */
  path: string
}

/** The meaning of a trader's authStatus, and its screen. */
export function authState(authStatus: number): AuthState {
  switch (authStatus) {
    case AUTH_STATUS.passed:
      return { text: 'me.auth.passed', tone: 'success', path: '/successful' }
    case AUTH_STATUS.underReview:
      return { text: 'me.auth.under_review', tone: 'warning', path: '/process?status=REVIEW' }
    case AUTH_STATUS.failed:
      return { text: 'me.auth.failed', tone: 'error', path: '/failed' }
    default:
      return { text: 'me.auth.none', tone: 'neutral', path: '/authenticate' }
  }
}
