import { useMutation } from '@tanstack/react-query'
import type { Wire } from '@/api/client'
import { RELOAD_DELAY_MS } from '@/constants'
import { type Switch, switchUser } from '../api/accounts'
import { userOf } from './enter-session'
import { startSession } from './session-store'

/** Waits for the old token's last answers, then starts the app anew with the new one. */
function reloadSoon(session: Wire['Session'], reload: () => void): Promise<never> {
  return new Promise(() => {
    setTimeout(() => {
      // A late answer to the old token may have ended the session meanwhile: the new one stands.
      startSession(session.token, userOf(session))
      reload()
    }, RELOAD_DELAY_MS)
  })
}

/** Changes the account: keeps the new token and reloads the page. Stays pending until the page is gone. */
export function useSwitchAccount(reload: () => void = () => window.location.reload()) {
  return useMutation({
    mutationFn: async (to: Switch) => {
      const session = await switchUser(to)
      startSession(session.token, userOf(session))
      return reloadSoon(session, reload)
    },
  })
}
