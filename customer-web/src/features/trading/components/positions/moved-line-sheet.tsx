import type { Product } from '@/features/market/api/products'
import type { MovedLine } from '../../model/use-moved-line'
import { EditOrderSheet, ProtectSheet } from './position-forms'

export type MovedLineSheetProps = { moved: MovedLine; product: Product; onClose: () => void }

/** The form of a dragged line, with the price it was dropped at; nothing changes until it is saved. */
export function MovedLineSheet({ moved, product, onClose }: MovedLineSheetProps) {
  if ('position' in moved)
    return <ProtectSheet position={moved.position} dragged={moved.dragged} onClose={onClose} />
  return (
    <EditOrderSheet
      order={moved.order}
      product={product}
      dragged={moved.dragged}
      onClose={onClose}
    />
  )
}
