import type { Identity } from '../api/identity'

/** A verification as the server returns it; not started unless a test says so. */
export function identity(more: Partial<Identity>): Identity {
  return {
    authStatus: -1,
    level: 0,
    state: 'none',
    version: 0,
    attempt: 0,
    attemptsLeft: 3,
    images: [],
    asked: [],
    mayChangeData: true,
    ...more,
  }
}
