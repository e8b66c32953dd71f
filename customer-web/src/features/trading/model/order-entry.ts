import { useSwitch } from '@/features/switches/api/front-config'
import { type OrderEntry, usePreferences } from '@/theme/preferences'

/** How the trader enters orders: as chosen, else with a review where the platform asks for one, else in two steps. */
export function useOrderEntry(): OrderEntry {
  const chosen = usePreferences(({ orderEntry }) => orderEntry)
  const review = useSwitch('trade_verify.enabled')
  return chosen ?? (review ? 'review' : 'two-step')
}
