import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import { exactTime } from '../model/exact-time'
import type { RateLine } from '../model/explain'
import styles from './receipt.module.css'

export type RateRowProps = { line: RateLine }

/** A conversion rate and the quote it comes from. */
export function RateRow({ line: { quote, from, to, rate, own } }: RateRowProps) {
  const { t } = useTranslation()
  return (
    <div>
      <dt>
        <Num>1 {from}</Num>
      </dt>
      <dd className={styles.result}>
        <Num>{rate}</Num> <small>{to}</small>
      </dd>
      <dd className={styles.formula}>
        {own ? (
          t('receipt.rate.own')
        ) : (
          <>
            {t('receipt.rate.middle', { symbol: quote.productNo })}{' '}
            <bdi dir="ltr">
              #{formatFixed(quote.seq, 0)}: {formatPrice(quote.bid, quote.point)} /{' '}
              {formatPrice(quote.ask, quote.point)}, {exactTime(quote.time)}
            </bdi>
          </>
        )}
      </dd>
    </div>
  )
}
