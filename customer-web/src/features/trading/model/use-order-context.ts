import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { useAccount } from '@/live/account-store'
import { useNetting } from '@/session/info-query'
import { exposureOf } from './order-effect'
import type { OrderContext } from './order-requirement'

const NOTHING = { netValue: '0', prepaidAmount: '0', balance: '0' }
const NONE: readonly Wire['Position'][] = []

/** The current order context of a product; empty until the account is loaded. */
export function useOrderContext(product: Product): OrderContext {
  const { statistics, positions } = useAccount()
  const netting = useNetting()
  const open = positions ?? NONE
  return {
    now: exposureOf(product, open, statistics ?? NOTHING),
    held: netting ? open.find(({ productId }) => productId === product.productId) : undefined,
  }
}
