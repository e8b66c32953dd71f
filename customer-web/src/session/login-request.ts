import { useLocation, useNavigate } from 'react-router'
import { create } from 'zustand'
import { useDesktop } from '@/theme/use-media'
import { loginPathFrom } from './login-path'
import { useSession } from './session-store'

export type LoginRequest = {
  /** The dialog's title, which says why; null while it is closed. */
  title: string | null
  /** The server ended the session, so the page below keeps the trader's inputs until the dialog is closed. */
  ended: boolean
}

/** The log-in dialog of a desktop. */
export const useLoginRequest = create<LoginRequest>(() => ({ title: null, ended: false }))

export function closeLoginRequest(): void {
  useLoginRequest.setState({ title: null, ended: false })
}

/** Returns a function that asks for the log-in: on a desktop over the page, on a phone on the log-in page and back. */
export function useAskLogin(): (title: string) => void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const desktop = useDesktop()
  return (title) => {
    if (desktop) useLoginRequest.setState({ title, ended: false })
    else void navigate(loginPathFrom(pathname + search))
  }
}

/** True for a visitor without a session; false while a trader whose session ended is asked to log in again. */
export function useIsVisitor(): boolean {
  const visitor = useSession(({ token }) => token === null)
  const ended = useLoginRequest((request) => request.ended)
  return visitor && !ended
}
