import { useTranslation } from 'react-i18next'
import { formatAmount, formatSigned } from '@/format/amount'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import { type AnyReceipt, subjectOf } from '../model/evidence'
import styles from './receipt.module.css'

export type ReceiptHeadProps = { receipt: AnyReceipt }

/** The fill with its time, side and price, or the charge with its amount. */
export function ReceiptHead({ receipt }: ReceiptHeadProps) {
  const { t } = useTranslation()
  const { product, side, lots, time } = subjectOf(receipt)
  const bought = side === 'buy'
  return (
    <div>
      <div className={styles.what}>
        <Tag tone={bought ? 'up' : 'down'}>
          {t(bought ? 'trade.buy' : 'trade.sell')} <Num>{formatAmount(lots)}</Num>
        </Tag>
        <b>{product.productNo}</b>
        <span className={styles.when}>
          <TimeText at={time} shape="dateTimeSeconds" />
        </span>
      </div>
      <div className={styles.price}>
        {'charge' in receipt ? (
          <>
            <Num>{formatSigned(receipt.charge.amount)}</Num>
            <span>USDT · {t(`ledger.kind.${receipt.charge.kind}`)}</span>
          </>
        ) : (
          <>
            <PriceText price={receipt.fill.price} point={product.point} />
            <span>{t(bought ? 'receipt.filled_ask' : 'receipt.filled_bid')}</span>
          </>
        )}
      </div>
    </div>
  )
}
