import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { Button } from '@/ui/button'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { defaultLots, setDefaultLots } from '../../model/default-lots'
import { isVolume } from '../../model/lots'
import { editTicket } from '../../model/ticket-store'
import { OrderEntryChoice } from './order-entry-choice'
import styles from './order-ticket.module.css'
import { VolumeInput } from './volume-input'

export type OrderSettingsSheetProps = { product: Product; onClose: () => void }

/** How orders are entered, and the default volume of the product. */
export function OrderSettingsSheet({ product, onClose }: OrderSettingsSheetProps) {
  const { t } = useTranslation()
  const [lots, setLots] = useState(() => defaultLots(product))
  const volume = completeNumeric(lots)
  const save = () => {
    setDefaultLots(product, volume)
    editTicket({ lots: volume })
    const what = { symbol: product.productNo, lots: formatLots(product, volume) }
    toast.success(t('order_settings.saved', what))
    onClose()
  }
  const label = t('order_settings.volume', { symbol: product.productNo })
  return (
    <Sheet
      open
      title={t('order_settings.title')}
      onClose={onClose}
      footer={
        <Button
          block
          size="large"
          variant="primary"
          disabled={!isVolume(product, volume)}
          onClick={save}
        >
          {t('order_settings.save')}
        </Button>
      }
    >
      <div className={styles.settings}>
        <OrderEntryChoice />
        <div className={styles.block}>
          <span className={styles.strong}>{label}</span>
          <VolumeInput product={product} label={label} lots={lots} onChange={setLots} />
        </div>
      </div>
    </Sheet>
  )
}
