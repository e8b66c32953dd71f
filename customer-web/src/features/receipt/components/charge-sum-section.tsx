import { useTranslation } from 'react-i18next'
import { directionOf, formatSigned } from '@/format/amount'
import { Num } from '@/ui/num'
import type { ChargeReceipt } from '../model/evidence'
import { chargeFormula, chargeRate } from '../model/explain-charge'
import { RateRow } from './rate-row'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type ChargeSumSectionProps = { receipt: ChargeReceipt }

/** The amount of the charge and its calculation. */
export function ChargeSumSection({ receipt }: ChargeSumSectionProps) {
  const { t } = useTranslation()
  const { kind, amount, product } = receipt.charge
  const rate = chargeRate(receipt)
  const rule = kind === 'dividend' ? 'dividend' : (product.swapModel ?? 'none')
  return (
    <ReceiptSection number={2} title={t('receipt.charge_sum.title')}>
      <p className={styles.text}>{t(`receipt.charge_sum.${rule}`)}</p>
      <dl className={styles.sums}>
        <div>
          <dt>{t(`ledger.kind.${kind}`)}</dt>
          <dd className={styles.result}>
            <Num className={directionOf(amount)}>{formatSigned(amount, 6)}</Num> <small>USDT</small>
          </dd>
          <dd className={styles.formula}>
            <bdi dir="ltr">{chargeFormula(receipt)}</bdi>
          </dd>
        </div>
        {rate && <RateRow line={rate} />}
      </dl>
      <p className={styles.small}>{t('receipt.charge_sum.rounding')}</p>
    </ReceiptSection>
  )
}
