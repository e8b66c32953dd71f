import type { QueryClient } from '@tanstack/react-query'
import type { Wire } from '@/api/client'
import { withTexts } from '@/i18n/i18n'
import { type AccountEvent, onAccountEvent } from '@/live/live'
import { userInfoQuery } from '@/session/info-query'
import { usePreferences } from '@/theme/preferences'

const load = () =>
  withTexts(() => import('@/features/trading/model/order-notifications'), ['trading'])

/** Plays the sound of an event, if the trader wants sounds. */
function sound(event: AccountEvent): void {
  if (!usePreferences.getState().orderSounds) return
  import('@/features/trading/model/order-sounds').then(
    ({ playOrderSound, soundOf }) => {
      const kind = soundOf(event)
      if (kind) playOrderSound(kind)
    },
    () => {},
  )
}

/** Rules that close a position without an action of the trader. */
const BY_ITSELF: readonly Wire['Fill']['rule'][] = ['sl', 'tp', 'trailing', 'stop_out']

/**
 * Shows toasts on every screen: pending orders that were filled or ended, positions closed by a rule, and margin
 * calls. Plays their sounds too, and keeps the histories complete. Returns how to stop.
 */
export function watchOrders(client: QueryClient): () => void {
  return onAccountEvent((event) => {
    // Lists of other screens are fetched too, so that they are complete when they are opened.
    if (event.event === 'fill' || event.event === 'order')
      void client.invalidateQueries({ queryKey: ['history'], refetchType: 'all' })
    // Staff may have added or lifted a restriction.
    if (event.event === 'balance')
      void client.invalidateQueries({ queryKey: userInfoQuery.queryKey })
    const closed = event.fill && BY_ITSELF.includes(event.fill.rule)
    if (!event.order && !closed && event.event !== 'margin_call') return
    sound(event)
    load().then(
      ({ notifyMarginCall, notifyOrderEvent }) =>
        event.event === 'margin_call' ? notifyMarginCall(client) : notifyOrderEvent(client, event),
      () => {},
    )
  })
}
