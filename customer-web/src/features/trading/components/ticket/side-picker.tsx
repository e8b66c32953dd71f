import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { DistanceValue } from '@/features/market/components/distance-value'
import type { LiveQuote } from '@/live/quote-store'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import type { Side } from '../../model/ticket-store'
import styles from './side-picker.module.css'

export type SidePickerProps = {
  product: Product
  quote: LiveQuote | undefined
  /** The chosen side; without it the buttons act at once. */
  side?: Side
  off: boolean
  onPick: (side: Side) => void
}

/** Sell at the bid, buy at the ask, with the spread in between. */
export function SidePicker({ product, quote, side, off, onPick }: SidePickerProps) {
  const { t } = useTranslation()
  const cell = (which: Side, price: string | undefined) => (
    <ButtonBase
      data-side={which}
      {...(side === undefined ? {} : { role: 'radio', 'aria-checked': side === which })}
      className={cx(
        styles.side,
        styles[which],
        (side === undefined || side === which) && styles.on,
        off && styles.off,
      )}
      onClick={() => onPick(which)}
    >
      <span className={styles.name}>
        {side === which && <Icon name="check" size={14} />}
        {t(which === 'buy' ? 'trade.buy' : 'trade.sell')}
      </span>
      {price === undefined ? <Num>–</Num> : <PriceText price={price} point={product.point} />}
    </ButtonBase>
  )
  return (
    <div
      className={styles.sides}
      {...(side === undefined ? {} : { role: 'radiogroup', 'aria-label': t('trade.side') })}
    >
      {cell('sell', quote?.bid)}
      {cell('buy', quote?.ask)}
      {quote && (
        <span className={styles.spread} title={t('figure.spread')}>
          <DistanceValue product={product} distance={quote.spread} />
        </span>
      )}
    </div>
  )
}
