import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { Button } from '@/ui/button'
import { setLots, useTicket } from '../../model/ticket-store'
import styles from './quick-size.module.css'
import { VolumeInput } from './volume-input'

export type QuickSizeProps = {
  product: Product
  /** Opens the ticket. */
  onOptions: () => void
}

/** The volume of the next order on the phone's trade screen, and the way to the rest of the ticket. */
export function QuickSize({ product, onOptions }: QuickSizeProps) {
  const { t } = useTranslation()
  const lots = useTicket((ticket) => ticket.lots)
  return (
    <div className={styles.row}>
      <VolumeInput product={product} label={t('trade.volume')} lots={lots} onChange={setLots} />
      <Button onClick={onOptions}>{t('trade.options')}</Button>
    </div>
  )
}
