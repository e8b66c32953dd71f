import type { Wire } from '@/api/client'
import { useProduct } from '@/features/market/api/products'
import { ProtectForm } from './protect-form'

export type ProtectSheetProps = { position: Wire['Position']; onClose: () => void }

/** Sets or clears the stop loss and the take profit of a position. */
export function ProtectSheet({ position, onClose }: ProtectSheetProps) {
  const product = useProduct(position.productId)
  if (!product) return null
  return <ProtectForm position={position} product={product} onClose={onClose} />
}
