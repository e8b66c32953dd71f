import type { Wire } from '@/api/client'
import { useMarketStatus } from '@/features/market/api/market-status'
import { type Product, useProducts } from '@/features/market/api/products'
import { useAccount } from '@/live/account-store'
import { firstStopOut } from './first-stop-out'

/** The open position that a stop-out would close first, with its product. */
export function useFirstStopOut(): { position: Wire['Position']; product: Product } | null {
  const positions = useAccount((account) => account.positions)
  const { data: products } = useProducts()
  const { data: market } = useMarketStatus()
  const isOpen = (productId: number) =>
    market?.products.find((one) => one.productId === productId)?.open ?? true
  const position = firstStopOut(positions ?? [], isOpen)
  const product = products?.find(({ productId }) => productId === position?.productId)
  return position && product ? { position, product } : null
}
