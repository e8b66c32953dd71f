import type { Wire } from '@/api/client'
import { useProduct } from '@/features/market/api/products'
import type { DraggedProtection } from '../../model/protection'
import { ProtectForm } from './protect-form'

export type ProtectSheetProps = {
  position: Wire['Position']
  dragged?: DraggedProtection
  onClose: () => void
}

/** Sets or clears stop loss, take profit and trailing stop of a position. */
export function ProtectSheet({ position, dragged, onClose }: ProtectSheetProps) {
  const product = useProduct(position.productId)
  if (!product) return null
  return <ProtectForm position={position} product={product} dragged={dragged} onClose={onClose} />
}
