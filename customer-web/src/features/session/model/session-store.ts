import { create } from 'zustand'
import { GUEST_ACCOUNT_TYPE, MOCK_ACCOUNT_TYPES } from '@/constants'
import type { StoredUser } from '@/storage/entries'
import { storage } from '@/storage/storage'

export type Session = {
  /** Opaque; null for a guest. */
  token: string | null
  user: StoredUser | null
}

function readSession(): Session {
  return { token: storage.read('token'), user: storage.read('userInfo') }
}

/** Who uses the app. Kept in the browser and the same in all tabs. */
export const useSession = create<Session>(readSession)

export function isLoggedIn(): boolean {
  return useSession.getState().token !== null
}

/** Starts a session with the server's token; what is kept of the trader is cut by toStoredUser. */
export function startSession(token: string, user: StoredUser): void {
  storage.write('token', token)
  storage.write('userInfo', user)
  useSession.setState({ token, user })
}

/** Updates what is known of the trader. */
export function updateUser(user: StoredUser): void {
  storage.write('userInfo', user)
  useSession.setState({ user })
}

/** Forgets token, user info and balance. The caller decides where the trader goes. */
export function clearSession(): void {
  storage.remove('token', 'userInfo', 'balance')
  useSession.setState({ token: null, user: null })
}

/** True for accounts that trade with play money; the app then says so on every screen. */
export function useIsDemo(): boolean {
  return useSession(({ user }) => user !== null && MOCK_ACCOUNT_TYPES.includes(user.type))
}

/** True for somebody who tries the app without having registered: there is a demo account and nothing else. */
export function useIsGuest(): boolean {
  return useSession(({ user }) => user?.type === GUEST_ACCOUNT_TYPE)
}

storage.onChangeElsewhere('token', () => useSession.setState(readSession()))
storage.onChangeElsewhere('userInfo', () => useSession.setState(readSession()))
