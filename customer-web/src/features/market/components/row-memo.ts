import type { Wire } from '@/api/client'
import type { DayLine } from '../api/day-lines'
import type { Product } from '../api/products'

/** Props of every product row. */
export type RowProps = {
  product: Product
  status: Wire['ProductStatus'] | undefined
  line: DayLine | undefined
  /** The path that a press opens; absent if the screen doesn't exist. */
  to?: string | undefined
  favourite?: boolean
  /** The product is the one shown beside the list. */
  on?: boolean
  onToggle?: ((productId: number) => void) | undefined
  /** Called on a press, in addition to following the link. */
  onOpen?: ((product: Product) => void) | undefined
}

export type LiveRowProps = RowProps & { visible: boolean }

/** Fields that the tickers change every 5 s; cells read them from the quote store. */
const DAY = new Set(['open24Hours', 'close24Hours', 'high24Hours', 'low24Hours'])

function isSameProduct(before: Product, after: Product): boolean {
  if (before === after) return true
  const names = Object.keys(after) as (keyof Product)[]
  return names.every((name) => before[name] === after[name] || DAY.has(name))
}

/** Reports whether a row's props are unchanged, except for figures that its cells follow themselves. */
export function isSameRow<Props extends { product: Product }>(
  { product: before, ...props }: Props,
  { product: after, ...now }: Props,
): boolean {
  const names = Object.keys(now) as (keyof typeof now)[]
  return names.every((name) => props[name] === now[name]) && isSameProduct(before, after)
}

/**
 * Reports whether a row can skip rendering. For a row off screen only its identity, favourite and handlers count,
 * because nothing else is visible and lists may be long.
 */
export function isSameContent(before: LiveRowProps, after: LiveRowProps): boolean {
  if (before.visible || after.visible) return isSameRow(before, after)
  return (
    before.product.productId === after.product.productId &&
    before.favourite === after.favourite &&
    before.to === after.to &&
    before.onToggle === after.onToggle &&
    before.onOpen === after.onOpen
  )
}
