import { useTranslation } from 'react-i18next'
import { formatPrice } from '@/format/price'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { placeInRange } from '../model/past-prices'
import styles from './range-bar.module.css'

export type RangeBarProps = {
  low: string
  high: string
  /** The current price. */
  price: string
  point: number
  /** In a table's row: small, the prices beside the line. */
  inline?: boolean
}

/** Where the price lies between a low and a high. */
export function RangeBar({ low, high, price, point, inline = false }: RangeBarProps) {
  const { t } = useTranslation()
  const place = placeInRange(price, { low, high })
  return (
    <span className={cx(styles.range, inline && styles.inline)}>
      <span>
        <span className="visually-hidden">{t('quotes.low')} </span>
        <Num>{formatPrice(low, point)}</Num>
      </span>
      <span className={styles.line} aria-hidden>
        <i style={{ insetInlineStart: `${place * 100}%` }} />
      </span>
      <span>
        <span className="visually-hidden">{t('quotes.high')} </span>
        <Num>{formatPrice(high, point)}</Num>
      </span>
    </span>
  )
}
