import type { Product } from '@/features/market/api/products'
import { fromScaled, toScaled } from '@/format/arithmetic'
import { completeNumeric } from '@/format/numeric-input'
import { useAccount } from '@/live/account-store'
import { readQuote } from '@/live/quote-store'
import type { Deal } from './order-effect'
import { maxLots, orderRequirement } from './order-requirement'
import { useOrderContext } from './use-order-context'

/** The required and the free margin, and the largest volume possible instead; "0" if there is none. */
export type Shortage = { needed: string; free: string; most: string }

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
  if (!demand || demand.carried) return null
  const free = units(statistics.usablePrepaid)
  return {
    needed: fromScaled(units(demand.margin) + units(demand.commission), SCALE),
    free: free > 0n ? statistics.usablePrepaid : '0',
    most: maxLots(product, ground, deal, readQuote),
  }
}
