import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { Chip } from '@/ui/chip'
import { Num } from '@/ui/num'
import { Stepper } from '@/ui/stepper'
import { shareOfLots } from '../model/lots'
import styles from './order-ticket.module.css'

export type VolumeFieldProps = {
  product: Product
  lots: string
  /** What the free margin carries; "0" when nothing or unknown. */
  most: string
  onChange: (lots: string) => void
}

const SHARES = [25, 50, 75] as const

/** The volume of an order, to type, to step, or as a share of what is possible. */
export function VolumeField({ product, lots, most, onChange }: VolumeFieldProps) {
  const { t } = useTranslation()
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
      <Stepper
        label={t('trade.volume')}
        unit={t('trade.lots')}
        value={lots}
        step={product.lotStep}
        min={product.lotMin}
        max={product.lotMax}
        decimals={2}
        onChange={onChange}
      />
      <div className={styles.shares}>
        {SHARES.map((share) => (
          <Chip
            key={share}
            edge
            disabled={most === '0'}
            onClick={() => onChange(shareOfLots(product, most, share))}
          >
            <Num>{share}%</Num>
          </Chip>
        ))}
        <Chip edge disabled={most === '0'} onClick={() => onChange(most)}>
          {t('trade.max')} {most !== '0' && <Num>{most}</Num>}
        </Chip>
      </div>
    </div>
  )
}
