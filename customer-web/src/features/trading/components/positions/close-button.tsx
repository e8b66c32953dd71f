import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { Button } from '@/ui/button'
import { useOrderState } from '../../model/use-order-state'
import styles from './position-sheets.module.css'

export type CloseButtonProps = {
  product: Product
  side: 'buy' | 'sell'
  lots: string
  busy: boolean
  /** An unanswered write is being retried. */
  checking: boolean
  /** The outcome of the last press is unknown, so the same is sent again. */
  again: boolean
  off: boolean
  /** Gets the price that the button shows. */
  onPress: (price: string) => void
}

/** Closes at the price on its label, which follows the quotes. */
export function CloseButton(props: CloseButtonProps) {
  const { product, side, lots, busy, checking, again, off, onPress } = props
  const { t } = useTranslation()
  const { quote, obstacle } = useOrderState(product)
  const price = side === 'buy' ? quote?.bid : quote?.ask
  const label = () => {
    if (busy) return checking ? t('trade.checking') : t('position.close.sending')
    if (again) return t('position.ask_again')
    return t('position.close.submit', {
      lots: formatLots(product, completeNumeric(lots)),
      price: price ? formatPrice(price, product.point) : '–',
    })
  }
  return (
    <Button
      block
      size="large"
      variant="primary"
      busy={busy}
      disabled={!again && (off || !price || obstacle !== null)}
      onClick={() => onPress(price ?? '')}
      className={styles.submit}
    >
      {label()}
    </Button>
  )
}
