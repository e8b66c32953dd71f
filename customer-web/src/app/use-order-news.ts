import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Wire } from '@/api/client'
import { withTexts } from '@/i18n/i18n'
import { onAccountEvent } from '@/live/live'

const load = () => withTexts(() => import('@/features/trading/model/order-news'), 'waiting')

/** Closings that the trader did not ask for just now. */
const BY_ITSELF: readonly Wire['Fill']['rule'][] = ['sl', 'tp', 'trailing', 'stop_out']

/** Says on every screen what became of a waiting order, and which position was closed without a press. */
export function useOrderNews(client: QueryClient): void {
  useEffect(
    () =>
      onAccountEvent((event) => {
        if (!event.order && !(event.fill && BY_ITSELF.includes(event.fill.rule))) return
        load().then(
          ({ tellOrderNews }) => tellOrderNews(client, event),
          () => {},
        )
      }),
    [client],
  )
}
