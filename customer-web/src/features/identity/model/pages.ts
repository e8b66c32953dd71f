import { authState } from '@/features/session/model/auth-status'
import { type Identity, isUndecided } from '../api/identity'

/** The four screens of identity verification. */
export type IdentityPage = '/authenticate' | '/process' | '/failed' | '/successful'

type IdentityStatus = Pick<Identity, 'authStatus' | 'state'>

/** The screen that a trader's authStatus opens. */
export function homePathOf({ authStatus }: IdentityStatus): string {
  return authState(authStatus).path
}

/** Whether something may be filled in, be it beside an approval that still holds. */
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
 * Where somebody who opens one of the screens belongs; null when they are there. authStatus decides. A renewal
 * beside an approval has the other screens too, and a step is fixed where steps are filled in.
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
