import type { Product } from '@/features/market/api/products'
import { toScaled } from '@/format/arithmetic'
import { readQuote } from '@/live/quote-store'
import { useKnowsLimits } from '@/session/info-query'
import type { Deal } from '../../model/order-effect'
import { maxLots } from '../../model/order-requirement'
import { useOrderContext } from '../../model/use-order-context'
import { ShareChips } from './share-chips'

export type VolumeSharesProps = {
  product: Product
  /** Orders of which any may be filled; the account must have the margin for each. */
  deals: readonly Omit<Deal, 'lots'>[]
  onPick: (lots: string) => void
}

/** Shares of the maximum volume that the engine would accept now. */
export function VolumeShares({ product, deals, onPick }: VolumeSharesProps) {
  const known = useKnowsLimits()
  const ground = useOrderContext(product)
  const most = deals
    .map((deal) => maxLots(product, ground, deal, readQuote))
    .reduce((least, one) => (value(one) < value(least) ? one : least))
  return <ShareChips product={product} most={known ? most : '0'} onPick={onPick} />
}

const value = (lots: string) => toScaled(lots, 6) ?? 0n
