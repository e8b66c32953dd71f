import type { QueryClient } from '@tanstack/react-query'
import { withTexts } from '@/i18n/i18n'
import { onAccountChangedElsewhere } from '@/session/session-store'

/** Fetches everything on screen anew after another tab switched the account, and says which one it is now. Returns how to stop. */
export function watchAccount(client: QueryClient): () => void {
  return onAccountChangedElsewhere(() => {
    void client.resetQueries()
    withTexts(() => import('./announce-account'), ['account']).then(
      ({ announceAccount }) => announceAccount(client),
      () => {},
    )
  })
}
