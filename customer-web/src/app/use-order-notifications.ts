import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Wire } from '@/api/client'
import { userInfoQuery } from '@/features/session/api/info-query'
import { withTexts } from '@/i18n/i18n'
import { onAccountEvent } from '@/live/live'

const load = () =>
  withTexts(() => import('@/features/trading/model/order-notifications'), 'waiting')

/** Closings that the trader did not ask for just now. */
const BY_ITSELF: readonly Wire['Fill']['rule'][] = ['sl', 'tp', 'trailing', 'stop_out']

/** Says on every screen what became of a waiting order, and which position was closed without a press, and that the margin runs short. */
export function useOrderNotifications(client: QueryClient): void {
  useEffect(
    () =>
      onAccountEvent((event) => {
        // Staff may have restricted something, or let it go.
        if (event.event === 'balance')
          void client.invalidateQueries({ queryKey: userInfoQuery.queryKey })
        const closed = event.fill && BY_ITSELF.includes(event.fill.rule)
        if (!event.order && !closed && event.event !== 'margin_call') return
        load().then(
          ({ notifyMarginCall, notifyOrderEvent }) =>
            event.event === 'margin_call'
              ? notifyMarginCall(client)
              : notifyOrderEvent(client, event),
          () => {},
        )
      }),
    [client],
  )
}
