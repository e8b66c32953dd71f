import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { useNetting } from '@/features/session/api/info-query'
import { useAccount } from '@/live/account-store'
import { exposureOf } from './order-effect'
import type { OrderContext } from './order-requirement'

const NOTHING = { netValue: '0', prepaidAmount: '0', balance: '0' }
const NONE: readonly Wire['Position'][] = []

/** The account as an order for a product finds it now; an empty one until the server has told. */
export function useOrderContext(product: Product): OrderContext {
  const { statistics, positions } = useAccount()
  const netting = useNetting()
  const open = positions ?? NONE
  return {
    now: exposureOf(product, open, statistics ?? NOTHING),
    held: netting ? open.find(({ productId }) => productId === product.productId) : undefined,
  }
}
