import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { Receipt } from '../model/evidence'
import styles from './receipt.module.css'

export type ReceiptHeadProps = { receipt: Receipt }

/** What was filled, when, and at which price of which side. */
export function ReceiptHead({ receipt: { fill } }: ReceiptHeadProps) {
  const { t } = useTranslation()
  const { product } = fill
  const bought = fill.side === 'buy'
  return (
    <div>
      <div className={styles.what}>
        <Tag tone={bought ? 'up' : 'down'}>
          {t(bought ? 'trade.buy' : 'trade.sell')} <Num>{formatAmount(fill.lots)}</Num>
        </Tag>
        <b>{product.productNo}</b>
        <span className={styles.when}>
          <TimeText at={fill.time} shape="dateTimeSeconds" />
        </span>
      </div>
      <div className={styles.price}>
        <PriceText price={fill.price} point={product.point} />
        <span>{t(bought ? 'receipt.filled_ask' : 'receipt.filled_bid')}</span>
      </div>
    </div>
  )
}
