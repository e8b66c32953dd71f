import { create } from 'zustand'
import { setShownAccount } from '@/api/request-headers'
import { GUEST_ACCOUNT_TYPE, MOCK_ACCOUNT_TYPES } from '@/constants'
import type { StoredUser } from '@/storage/entries'
import { storage } from '@/storage/storage'

export type Session = {
  /** Opaque; null for a visitor. */
  token: string | null
  user: StoredUser | null
}

function readSession(): Session {
  return { token: storage.read('token'), user: storage.read('userInfo') }
}

/** The current session. Stored in the browser and shared by all tabs. */
export const useSession = create<Session>(readSession)

export function isLoggedIn(): boolean {
  return useSession.getState().token !== null
}

/** Starts a session with the server's token; toStoredUser limits what is stored of the user. */
export function startSession(token: string, user: StoredUser): void {
  writeToken(token)
  storage.write('userInfo', user)
  useSession.setState({ token, user })
}

/** The token's age in ms; endless for one from before its time was noted. */
export function tokenAge(): number {
  return Date.now() - Number(storage.read('tokenAt') ?? 0)
}

/** Puts a fresh token in the place of one, unless another tab has replaced that one already. */
export function replaceToken(before: string, token: string): void {
  if (storage.read('token') !== before) return
  writeToken(token)
  useSession.setState({ token })
}

function writeToken(token: string): void {
  storage.write('token', token)
  storage.write('tokenAt', String(Date.now()))
}

/** Updates the stored user. */
export function updateUser(user: StoredUser): void {
  storage.write('userInfo', user)
  useSession.setState({ user })
}

/** Clears token, user and balance. The caller decides where to navigate. */
export function clearSession(): void {
  storage.remove('token', 'tokenAt', 'userInfo', 'balance')
  useSession.setState({ token: null, user: null })
}

/** True for accounts that trade with demo money, which every screen then states. */
export function useIsDemo(): boolean {
  return useSession(({ user }) => user !== null && MOCK_ACCOUNT_TYPES.includes(user.type))
}

/** True for a guest, who has not registered and only has a demo account. */
export function useIsGuest(): boolean {
  return useSession(({ user }) => user?.type === GUEST_ACCOUNT_TYPE)
}

/** The id of the registered trader who is logged in; null for a visitor or a guest. */
export function useRegisteredId(): string | null {
  return useSession(({ token, user }) =>
    token !== null && user && user.type !== GUEST_ACCOUNT_TYPE ? user.userId : null,
  )
}

const nameAccount = ({ user }: Session) => setShownAccount(user?.accountId)
nameAccount(useSession.getState())
useSession.subscribe(nameAccount)

/** The user of the last session, kept after a log-out: the data on screen may still be theirs. */
let lastUser = useSession.getState().user
useSession.subscribe(({ user }) => {
  lastUser = user ?? lastUser
})

const accountListeners = new Set<() => void>()

/** Listens for another account in the session after another tab switched it or logged in; returns how to stop. */
export function onAccountChangedElsewhere(listener: () => void): () => void {
  accountListeners.add(listener)
  return () => accountListeners.delete(listener)
}

function followOtherTabs(): void {
  const before = lastUser
  useSession.setState(readSession())
  const { user } = useSession.getState()
  if (!before || !user) return
  const differs = (['userId', 'type', 'accountId'] as const).some(
    (key) => before[key] !== user[key],
  )
  if (differs) for (const listener of accountListeners) listener()
}

storage.onChangeElsewhere('token', followOtherTabs)
storage.onChangeElsewhere('userInfo', followOtherTabs)
