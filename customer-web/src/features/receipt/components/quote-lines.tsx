import { useTranslation } from 'react-i18next'
import { Num } from '@/ui/num'
import { useQuotesAround } from '../api/receipt'
import type { Receipt } from '../model/evidence'
import { clockTime } from '../model/exact-time'
import { drawQuotes } from '../model/quote-lines'
import styles from './quote-lines.module.css'

export type QuoteLinesProps = { receipt: Receipt }

/** Bid and ask around the quote of a fill, with its place in them. */
export function QuoteLines({ receipt: { fill, quote } }: QuoteLinesProps) {
  const { t } = useTranslation()
  const { data, isPending } = useQuotesAround(quote.productId, quote.seq)
  const lines = data && drawQuotes(data, quote)
  const [first] = data ?? []
  const last = data?.at(-1)
  if (isPending) return <div className={styles.waiting} />
  if (!lines || !first || !last) return null
  const bought = fill.side === 'buy'
  return (
    <figure className={styles.figure} dir="ltr">
      <div
        className={styles.plot}
        role="img"
        aria-label={t('receipt.quote.around', { number: data.length })}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          <path className={styles.ask} d={lines.ask} />
          <path className={styles.bid} d={lines.bid} />
        </svg>
        <i className={styles.line} style={{ insetInlineStart: `${lines.at}%` }} />
        <i
          className={styles.dot}
          style={{
            insetInlineStart: `${lines.at}%`,
            insetBlockStart: `${bought ? lines.markAsk : lines.markBid}%`,
          }}
        />
      </div>
      <figcaption className={styles.times}>
        <Num>{clockTime(first.time)}</Num>
        <span className={styles.sides}>
          <b className={styles.askName}>{t('receipt.quote.ask')}</b>
          <b className={styles.bidName}>{t('receipt.quote.bid')}</b>
        </span>
        <Num>{clockTime(last.time)} UTC</Num>
      </figcaption>
    </figure>
  )
}
