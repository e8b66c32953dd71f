import { useTranslation } from 'react-i18next'
import { directionOf } from '@/format/amount'
import { Num } from '@/ui/num'
import type { Receipt } from '../model/evidence'
import { ratesOf, sumsOf } from '../model/explain'
import { RateRow } from './rate-row'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type SumsSectionProps = { receipt: Receipt }

/** Every sum of the fill with its calculation, and the conversion rates. */
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
        {ratesOf(receipt).map((line) => (
          <RateRow key={`${line.from} ${line.rate}`} line={line} />
        ))}
      </dl>
      <p className={styles.small}>{t('receipt.sum.rounding')}</p>
    </ReceiptSection>
  )
}
