import { authState } from '@/session/auth-status'
import { type Identity, isUndecided } from '../api/identity'

/** The four screens of identity verification. */
export type IdentityPage = '/authenticate' | '/process' | '/failed' | '/successful'

type IdentityStatus = Pick<Identity, 'authStatus' | 'state'>

/** The path for a trader's authStatus. */
export function homePathOf({ authStatus }: IdentityStatus): string {
  return authState(authStatus).path
}

/** Reports whether the application can be edited, also during a renewal. */
export function canEdit({ state }: Pick<Identity, 'state'>): boolean {
  return (
    state === 'none' ||
    state === 'draft' ||
    state === 'resubmission_required' ||
    state === 'expiring' ||
    state === 'reverify_required'
  )
}

/**
 * The redirect of an identity screen; null if it may open. authStatus decides. During a renewal the other screens
 * stay open too, and steps are corrected on the application screen.
 */
export function redirectOf(
  page: IdentityPage,
  identity: IdentityStatus,
  step: boolean,
): string | null {
  const home = homePathOf(identity)
  if (home.split('?')[0] === page || isOpen(page, identity, step)) return null
  return home
}

function isOpen(page: IdentityPage, identity: IdentityStatus, step: boolean): boolean {
  switch (page) {
    case '/authenticate':
      return step && canEdit(identity)
    case '/process':
      return isUndecided(identity)
    case '/failed':
      return identity.state === 'resubmission_required' || identity.state === 'rejected_final'
    case '/successful':
      return false
  }
}
