import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { Chip } from '@/ui/chip'
import { Num } from '@/ui/num'
import { shareOfLots } from '../../model/lots'
import styles from './order-ticket.module.css'

export type ShareChipsProps = {
  product: Product
  /** The maximum volume; "0" if there is none or it is unknown. */
  most: string
  onPick: (lots: string) => void
}

const SHARES = [25, 50, 75] as const

/** Shares of the maximum volume, and all of it. */
export function ShareChips({ product, most, onPick }: ShareChipsProps) {
  const { t } = useTranslation()
  const off = most === '0'
  return (
    <div className={styles.shares}>
      {SHARES.map((share) => (
        <Chip
          key={share}
          edge
          disabled={off}
          onClick={() => onPick(shareOfLots(product, most, share))}
        >
          <Num>{share}%</Num>
        </Chip>
      ))}
      <Chip edge disabled={off} onClick={() => onPick(most)}>
        {t('trade.max')} {!off && <Num>{formatLots(product, most)}</Num>}
      </Chip>
    </div>
  )
}
