import type { DecimalInput } from '@/format/decimal'
import { formatPrice, splitPrice } from '@/format/price'
import { cx } from './cx'
import styles from './price-text.module.css'

export type PriceTextProps = {
  price: DecimalInput
  /** Decimals of the product. */
  point: number
  className?: string | undefined
}

/** A price with its last two digits larger, in the same colour and weight. */
export function PriceText({ price, point, className }: PriceTextProps) {
  const { head, tail } = splitPrice(formatPrice(price, point))
  return (
    <bdi dir="ltr" className={cx('n', className)}>
      {head}
      <span className={styles.tail}>{tail}</span>
    </bdi>
  )
}
