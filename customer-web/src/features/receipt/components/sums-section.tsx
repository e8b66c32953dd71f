import { useTranslation } from 'react-i18next'
import { directionOf, formatFixed } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import type { Receipt } from '../model/evidence'
import { exactTime } from '../model/exact-time'
import { ratesOf, sumsOf } from '../model/explain'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type SumsSectionProps = { receipt: Receipt }

/** Every sum of the fill with its numbers, and the rates that converted currencies. */
export function SumsSection({ receipt }: SumsSectionProps) {
  const { t } = useTranslation()
  return (
    <ReceiptSection number={3} title={t('receipt.sum.title')}>
      <dl className={styles.sums}>
        {sumsOf(receipt).map(({ name, formula, result, unit, minimum }) => (
          <div key={name}>
            <dt>{t(`receipt.sum.${name}`)}</dt>
            <dd className={styles.result}>
              {name === 'profit' ? (
                <Num className={directionOf(receipt.fill.profit)}>{result}</Num>
              ) : (
                <Num>{result}</Num>
              )}{' '}
              <small>{unit}</small>
            </dd>
            <dd className={styles.formula}>
              {formula ? <bdi dir="ltr">{formula}</bdi> : t('receipt.sum.released_rest')}
              {minimum && (
                <>
                  {', '}
                  {t('receipt.sum.minimum')} <Num>{minimum}</Num>
                </>
              )}
            </dd>
          </div>
        ))}
        {ratesOf(receipt).map(({ quote, from, to, rate, own }) => (
          <div key={`${from} ${rate}`}>
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
        ))}
      </dl>
      <p className={styles.small}>{t('receipt.sum.rounding')}</p>
    </ReceiptSection>
  )
}
