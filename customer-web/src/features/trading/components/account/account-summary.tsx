import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { formatFixed, formatPercent } from '@/format/amount'
import { ChangeText } from '@/ui/change-text'
import { Gauge } from '@/ui/gauge'
import { Num } from '@/ui/num'
import { useFirstStopOut } from '../../model/use-first-stop-out'
import { FirstStopOut } from '../ticket/first-stop-out'
import styles from './account-summary.module.css'
import { MarginCallsButton } from './margin-calls-button'

export type AccountSummaryProps = {
  statistics: Wire['Statistics']
}

/** The account's value, used margin, and what a stop-out would close first. */
export function AccountSummary({ statistics }: AccountSummaryProps) {
  const { t } = useTranslation()
  const level = statistics.prepaidRatio
  const first = useFirstStopOut()
  const figure = (label: string, value: string) => (
    <div>
      <dt>{label}</dt>
      <dd>
        <Num>{formatFixed(value, 2)}</Num>
      </dd>
    </div>
  )
  return (
    <section className={styles.summary} aria-label={t('order.summary')}>
      <div className={styles.profit}>
        <span>{t('order.open_profit')}</span>
        <span className={styles.big}>
          <ChangeText kind="number" value={statistics.totalProfit} arrow />
        </span>
      </div>
      <dl className={styles.figures}>
        {figure(t('figure.equity'), statistics.netValue)}
        {figure(t('trade.used_margin'), statistics.prepaidAmount)}
        {figure(t('trade.free_margin'), statistics.usablePrepaid)}
      </dl>
      <div className={styles.level}>
        <span>{t('figure.margin_level')}</span>
        <b>
          <Num>{level ? formatPercent(level) : '–'}</Num>
        </b>
        <Gauge level={level ? Number(level) : null} />
        <span className={styles.caption}>
          {t('history.reason.stop_out')} <Num>50%</Num>
        </span>
      </div>
      {first && (
        <div className={styles.first}>
          <span>{t('order.closes_first')}</span>
          <FirstStopOut {...first} />
        </div>
      )}
      <div className={styles.calls}>
        <MarginCallsButton />
      </div>
    </section>
  )
}
