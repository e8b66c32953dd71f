import { useMutation } from '@tanstack/react-query'
import type { Wire } from '@/api/client'
import { RELOAD_DELAY_MS } from '@/constants'
import { startSession } from '@/session/session-store'
import { type Switch, switchUser } from '../api/accounts'
import { userOf } from './enter-session'

/** Waits for pending answers to the old token, then reloads the app with the new one. */
function reloadSoon(session: Wire['Session'], reload: () => void): Promise<never> {
  return new Promise(() => {
    setTimeout(() => {
      // A late answer to the old token may have ended the session, so the new one is stored again.
      startSession(session.token, userOf(session))
      reload()
    }, RELOAD_DELAY_MS)
  })
}

/** Switches the account: stores the new token and reloads the page. Stays pending until then. */
export function useSwitchAccount(reload: () => void = () => window.location.reload()) {
  return useMutation({
    mutationFn: async (to: Switch) => {
      const session = await switchUser(to)
      startSession(session.token, userOf(session))
      return reloadSoon(session, reload)
    },
  })
}
