import type { QueryClient } from '@tanstack/react-query'
import { withTexts } from '@/i18n/i18n'
import { onAccountChangedElsewhere } from '@/session/session-store'

/** Says which account is in use after another tab switched it. Returns how to stop. */
export function watchAccount(client: QueryClient): () => void {
  return onAccountChangedElsewhere(() => {
    withTexts(() => import('./announce-account'), ['account']).then(
      ({ announceAccount }) => announceAccount(client),
      () => {},
    )
  })
}
