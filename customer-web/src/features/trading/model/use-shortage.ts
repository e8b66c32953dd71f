import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { completeNumeric } from '@/format/numeric-input'
import { useAccount } from '@/live/account-store'
import { readQuote } from '@/live/quote-store'
import type { Deal } from './order-effect'
import { maxLots, orderRequirement } from './order-requirement'
import { useOrderContext } from './use-order-context'

/**
 * What is needed and what the account has of it: margin, or for the commission the balance alone. Also the largest
 * volume possible instead; "0" if there is none.
 */
export type Shortage = { of: 'margin' | 'cash'; needed: string; has: string; most: string }

const SCALE = 6
const units = (text: string) => toScaled(text, SCALE) ?? 0n
/** What the account lacks for an order at current prices; null if it suffices or is unknown. */
export function useShortage(product: Product, deal: Deal | undefined): Shortage | null {
  const statistics = useAccount((account) => account.statistics)
  const ground = useOrderContext(product)
  if (!deal || !statistics) return null
  const demand = orderRequirement(
    product,
    ground,
    { ...deal, lots: completeNumeric(deal.lots) },
    readQuote,
  )
  if (!demand?.lacks) return null
  const most = maxLots(product, ground, deal, readQuote)
  if (demand.lacks === 'cash')
    return { of: 'cash', needed: demand.commission, has: statistics.balance, most }
  const free = units(statistics.usablePrepaid)
  return {
    of: 'margin',
    needed: fromScaled(units(demand.margin) + units(demand.commission), SCALE),
    has: free > 0n ? statistics.usablePrepaid : '0',
    most,
  }
}
