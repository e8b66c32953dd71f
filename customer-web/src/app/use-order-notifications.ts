import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Wire } from '@/api/client'
import { withTexts } from '@/i18n/i18n'
import { onAccountEvent } from '@/live/live'
import { userInfoQuery } from '@/session/info-query'

const load = () =>
  withTexts(() => import('@/features/trading/model/order-notifications'), ['trading'])

/** Rules that close a position without an action of the trader. */
const BY_ITSELF: readonly Wire['Fill']['rule'][] = ['sl', 'tp', 'trailing', 'stop_out']

/**
 * Shows toasts on every screen: pending orders that were filled or ended, positions closed by a rule, and margin
 * calls.
 */
export function useOrderNotifications(client: QueryClient): void {
  useEffect(
    () =>
      onAccountEvent((event) => {
        // Staff may have added or lifted a restriction.
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
