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

/** What the tickers change every 5 s; cells take it from the quote store. */
const DAY = new Set(['open24Hours', 'close24Hours', 'high24Hours', 'low24Hours'])

function isSameProduct(before: Product, after: Product): boolean {
  if (before === after) return true
  const names = Object.keys(after) as (keyof Product)[]
  return names.every((name) => before[name] === after[name] || DAY.has(name))
}

/** Whether a row is told the same as before, but for the figures that its cells follow by themselves. */
export function isSameRow<Props extends { product: Product }>(
  { product: before, ...props }: Props,
  { product: after, ...now }: Props,
): boolean {
  const names = Object.keys(now) as (keyof typeof now)[]
  return names.every((name) => props[name] === now[name]) && isSameProduct(before, after)
}

/**
 * Whether what a row holds may stay as it is drawn. Off screen only what the row is about counts: the
 * rest changes there without anybody seeing it, and a list may be long.
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
