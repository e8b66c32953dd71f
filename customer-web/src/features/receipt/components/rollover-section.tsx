import { useTranslation } from 'react-i18next'
import { formatAmount, formatFixed } from '@/format/amount'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import { type ChargeReceipt, quotesOf } from '../model/evidence'
import { exactTime } from '../model/exact-time'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type RolloverSectionProps = { receipt: ChargeReceipt }

/** The rollover of the position, the lots open then, and the last quotes before it. */
export function RolloverSection({ receipt }: RolloverSectionProps) {
  const { t } = useTranslation()
  const { charge, fills } = receipt
  return (
    <ReceiptSection number={1} title={t('receipt.rollover.title')}>
      <p className={styles.text}>{t(`receipt.rollover.${charge.kind}`)}</p>
      <dl className={styles.rows}>
        <div>
          <dt>{t('receipt.rollover.moment')}</dt>
          <dd>
            <Num>{exactTime(charge.marketTime)}</Num>
          </dd>
        </div>
        {charge.kind === 'swap' && (
          <div>
            <dt>{t('receipt.rollover.nights')}</dt>
            <dd>
              <Num>{charge.nights}</Num>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('receipt.rollover.lots')}</dt>
          <dd>
            <Num>{formatAmount(charge.lots)}</Num>{' '}
            {t('receipt.rollover.fills', { count: fills.length })}
          </dd>
        </div>
        {quotesOf(receipt).map((quote) => (
          <div key={`${quote.productId} ${quote.seq}`}>
            <dt>
              <Mark size={14} />
              <Num>
                {quote.productNo} #{formatFixed(quote.seq, 0)}
              </Num>
            </dt>
            <dd>
              <Num>{exactTime(quote.time)}</Num>
            </dd>
          </div>
        ))}
      </dl>
    </ReceiptSection>
  )
}
