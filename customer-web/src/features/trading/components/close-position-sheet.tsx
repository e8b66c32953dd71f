import type { Wire } from '@/api/client'
import { useProduct } from '@/features/market/api/products'
import { ClosePositionForm } from './close-position-form'

export type ClosePositionSheetProps = { position: Wire['Position']; onClose: () => void }

/** Closes a position, all of it or a part. */
export function ClosePositionSheet({ position, onClose }: ClosePositionSheetProps) {
  const product = useProduct(position.productId)
  if (!product) return null
  return <ClosePositionForm position={position} product={product} onClose={onClose} />
}
