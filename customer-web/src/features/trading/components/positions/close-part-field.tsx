import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { Chip } from '@/ui/chip'
import { Num } from '@/ui/num'
import { Stepper } from '@/ui/stepper'
import { isAll, type PartProblem } from '../../model/close-part'
import { shareOfLots } from '../../model/lots'
import styles from './position-sheets.module.css'

export type ClosePartFieldProps = {
  product: Product
  /** The position's lots. */
  of: string
  lots: string
  problem: PartProblem | null
  disabled: boolean
  onChange: (lots: string) => void
}

const SHARES = [25, 50, 75] as const
const LOT_DECIMALS = 6

/** The volume to close: typed, stepped, or a share of the position. */
export function ClosePartField({
  product,
  of,
  lots,
  problem,
  disabled,
  onChange,
}: ClosePartFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const decimals = Math.min(LOT_DECIMALS, product.lotStep.split('.')[1]?.length ?? 0)
  return (
    <div className={styles.field}>
      <div className={styles.label}>
        <span>{t('position.close.volume')}</span>
        <span>
          <Num>{formatAmount(of)}</Num> {t('position.close.open_lots')}
        </span>
      </div>
      <Stepper
        label={t('position.close.volume')}
        unit={t('trade.lots')}
        value={lots}
        step={product.lotStep}
        min={product.lotMin}
        max={of}
        decimals={decimals}
        disabled={disabled}
        invalid={problem !== null}
        describedBy={id}
        onChange={onChange}
      />
      <div className={styles.shares}>
        {SHARES.map((share) => {
          const part = shareOfLots(product, of, share)
          return (
            <Chip
              key={share}
              edge
              disabled={disabled}
              on={isAll(part, lots) && !isAll(lots, of)}
              onClick={() => onChange(part)}
            >
              <Num>{share}%</Num>
            </Chip>
          )
        })}
        <Chip edge disabled={disabled} on={isAll(lots, of)} onClick={() => onChange(of)}>
          {t('position.close.all')}
        </Chip>
      </div>
      <p id={id} className={styles.problem}>
        {problem === 'lots' &&
          t('error.order.lots', {
            min: formatAmount(product.lotMin),
            max: formatAmount(of),
            step: formatAmount(product.lotStep),
          })}
        {problem === 'rest' && t('position.close.rest', { min: formatAmount(product.lotMin) })}
      </p>
    </div>
  )
}
