import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { withTexts } from '@/i18n/i18n'
import { onAccountEvent } from '@/live/live'

const load = () => withTexts(() => import('@/features/trading/model/order-news'), 'waiting')

/** Says on every screen what became of a waiting order. */
export function useOrderNews(client: QueryClient): void {
  useEffect(
    () =>
      onAccountEvent((event) => {
        if (!event.order) return
        load().then(
          ({ tellOrderNews }) => tellOrderNews(client, event),
          () => {},
        )
      }),
    [client],
  )
}
