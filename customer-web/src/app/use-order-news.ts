import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { withTexts } from '@/i18n/i18n'
import { onAccountEvent } from '@/live/live'

const load = () => withTexts(() => import('@/features/trading/model/order-news'), 'waiting')

/** Says on every screen what became of a waiting order, and that the margin runs short. */
export function useOrderNews(client: QueryClient): void {
  useEffect(
    () =>
      onAccountEvent((event) => {
        if (!event.order && event.event !== 'margin_call') return
        load().then(
          ({ tellMarginCall, tellOrderNews }) =>
            event.order ? tellOrderNews(client, event) : tellMarginCall(client),
          () => {},
        )
      }),
    [client],
  )
}
