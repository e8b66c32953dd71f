import type { Wire } from '@/api/client'
import type { DayLine } from '../api/day-lines'
import type { Product } from '../api/products'

/** What every row of a list of products is told. */
export type RowProps = {
  product: Product
  status: Wire['ProductStatus'] | undefined
  line: DayLine | undefined
  /** Where a press leads; absent where there is no such screen. */
  to?: string | undefined
  favourite?: boolean
  onToggle?: ((productId: number) => void) | undefined
  /** A press on the row, besides following the link. */
  onOpen?: ((product: Product) => void) | undefined
}

export type LiveRowProps = RowProps & { visible: boolean }

/**
 * Whether a row may stay as it is drawn. Off screen only what it is about counts: figures change there
 * without anybody seeing it, and a list may be long.
 */
export function isSameRow(before: LiveRowProps, after: LiveRowProps): boolean {
  if (!before.visible && !after.visible) {
    return (
      before.product.productId === after.product.productId &&
      before.favourite === after.favourite &&
      before.to === after.to &&
      before.onToggle === after.onToggle &&
      before.onOpen === after.onOpen
    )
  }
  const names = Object.keys(after) as (keyof LiveRowProps)[]
  return names.every((name) => before[name] === after[name])
}
