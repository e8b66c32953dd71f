import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { formatAmount } from '@/format/amount'
import { formatCountdown } from '@/format/countdown'
import { Num } from '@/ui/num'
import { scaleOf } from '../model/currencies'
import { rateText } from '../model/rate'
import { useMsLeft } from '../model/use-ms-left'
import styles from './move.module.css'

export type QuoteViewProps = {
  quote: Wire['ExchangeQuote'] & { until: number }
}

/** The amounts paid and received at a rate, the cost of the spread, and the remaining validity. */
export function QuoteView({ quote }: QuoteViewProps) {
  const { t } = useTranslation()
  const { from, to, fromAmount, toAmount, spread, fee } = quote
  const row = (label: string, amount: string, currency: string, className?: string) => (
    <div className={className}>
      <dt>{label}</dt>
      <dd>
        <Num>{formatAmount(amount, scaleOf(currency))}</Num> {currency}
      </dd>
    </div>
  )
  return (
    <>
      <dl>
        {row(t('exchange.pay'), fromAmount, from)}
        {row(t('exchange.get'), toAmount, to, styles.got)}
        <div>
          <dt>{t('exchange.rate')}</dt>
          <dd>
            <Num>{rateText(quote)}</Num>
          </dd>
        </div>
        <div>
          <dt>{t('exchange.fee', { percent: formatAmount(spread) })}</dt>
          <dd>
            <Num>{formatAmount(fee, scaleOf(to))}</Num> {to}
          </dd>
        </div>
      </dl>
      <Countdown key={quote.quoteId} until={quote.until} life={quote.lifeMs} />
    </>
  )
}

/** The circumference of the ring. */
const ROUND = 2 * Math.PI * 7

function Countdown({ until, life }: { until: number; life: number }) {
  const { t } = useTranslation()
  const left = useMsLeft(until)
  const share = life > 0 ? Math.min(1, left / life) : 0
  return (
    <p className={styles.left}>
      <svg className={styles.ring} viewBox="0 0 18 18" aria-hidden="true">
        <circle cx="9" cy="9" r="7" />
        <circle
          className={styles.run}
          cx="9"
          cy="9"
          r="7"
          strokeDasharray={ROUND}
          strokeDashoffset={ROUND * (1 - share)}
        />
      </svg>
      {t('exchange.holds')} <Num>{formatCountdown(left / 1000)}</Num>
    </p>
  )
}
