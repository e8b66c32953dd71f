import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import type { OrderState } from '../../model/use-order-state'
import styles from './order-ticket.module.css'

export type QuoteLineProps = Pick<OrderState, 'quote' | 'age'>

/** The number and age of the current quote. */
export function QuoteLine({ quote, age }: QuoteLineProps) {
  const { t } = useTranslation()
  if (!quote || age === null) return null
  return (
    <span className={styles.proof}>
      <Mark size={14} />
      {t('trade.quote')}{' '}
      <Num className={styles.strong}>#{formatFixed(String(quote.sequence), 0)}</Num>
      <span>{t('trade.quote_age', { seconds: (age / 1000).toFixed(1) })}</span>
    </span>
  )
}
