import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { cx } from '@/ui/cx'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import type { Receipt } from '../model/evidence'
import { durationText, exactTime } from '../model/exact-time'
import { QuoteLines } from './quote-lines'
import styles from './receipt.module.css'
import { ReceiptSection } from './receipt-section'

export type QuoteSectionProps = { receipt: Receipt }

/** The recorded quote of the fill among those around it, and its age. */
export function QuoteSection({ receipt }: QuoteSectionProps) {
  const { fill, quote } = receipt
  const { t } = useTranslation()
  const bought = fill.side === 'buy'
  const source = quote.source
  return (
    <ReceiptSection
      number={1}
      title={t('receipt.quote.title')}
      aside={
        <>
          {t('receipt.quote.age')} <Num>{durationText(fill.marketTime - quote.time)}</Num>
        </>
      }
    >
      <QuoteLines receipt={receipt} />
      <dl className={styles.quote}>
        <div className={cx(!bought && styles.taken)}>
          <dt>{t('receipt.quote.bid')}</dt>
          <dd>
            <Num>{formatPrice(quote.bid, quote.point)}</Num>
          </dd>
        </div>
        <div className={cx(bought && styles.taken)}>
          <dt>{t('receipt.quote.ask')}</dt>
          <dd>
            <Num>{formatPrice(quote.ask, quote.point)}</Num>
          </dd>
        </div>
      </dl>
      <dl className={styles.rows}>
        <div>
          <dt>
            <Mark size={14} /> {t('receipt.quote.number')}
          </dt>
          <dd>
            <Num>
              {quote.productNo} #{formatFixed(quote.seq, 0)}
            </Num>
          </dd>
        </div>
        <div>
          <dt>{t('receipt.quote.market_time')}</dt>
          <dd>
            <Num>{exactTime(quote.time)}</Num>
          </dd>
        </div>
        <div>
          <dt>{t('receipt.quote.source')}</dt>
          <dd>
            {source === 'simulated' || source === 'replay'
              ? t(`receipt.quote.source_of.${source}`)
              : source}
          </dd>
        </div>
        {quote.sourceTime !== quote.time && (
          <div>
            <dt>{t('receipt.quote.source_time')}</dt>
            <dd>
              <Num>{exactTime(quote.sourceTime)}</Num>
            </dd>
          </div>
        )}
      </dl>
    </ReceiptSection>
  )
}
