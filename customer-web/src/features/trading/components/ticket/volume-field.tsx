import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { stepValue } from '@/format/arithmetic'
import { useShortcuts } from '@/ui/use-shortcuts'
import { volumeRange } from '../../model/lots'
import styles from './order-ticket.module.css'
import { VolumeInput } from './volume-input'
import type { VolumeSharesProps } from './volume-shares'
import { VolumeShares } from './volume-shares'

export type VolumeFieldProps = {
  product: Product
  lots: string
  /** The fills the volume is for. */
  deals: VolumeSharesProps['deals']
  onChange: (lots: string) => void
}

/** The volume of an order: typed, stepped, or a share of the maximum. */
export function VolumeField({ product, lots, deals, onChange }: VolumeFieldProps) {
  const { t } = useTranslation()
  const range = volumeRange(product)
  const more = () => onChange(stepValue(lots, 1, range))
  useShortcuts({ '+': more, '=': more, '-': () => onChange(stepValue(lots, -1, range)) })
  return (
    <div className={styles.block}>
      <div className={styles.label}>
        <span>{t('trade.volume')}</span>
        <span className={styles.caption}>
          {t('trade.contract', {
            size: formatAmount(String(product.contractSize)),
            unit: product.base,
          })}
        </span>
      </div>
      <VolumeInput product={product} label={t('trade.volume')} lots={lots} onChange={onChange} />
      <VolumeShares product={product} deals={deals} onPick={onChange} />
    </div>
  )
}
