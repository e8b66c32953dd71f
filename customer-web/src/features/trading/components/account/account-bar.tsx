import { useTranslation } from 'react-i18next'
import { formatFixed, formatPercent } from '@/format/amount'
import { useAccount } from '@/live/account-store'
import { ChangeText } from '@/ui/change-text'
import { Gauge } from '@/ui/gauge'
import { Num } from '@/ui/num'
import styles from '../positions/positions-panel.module.css'

/** The account in one line: margin level gauge, balance, equity, used and free margin, floating profit. */
export function AccountBar() {
  const { t } = useTranslation()
  const statistics = useAccount((account) => account.statistics)
  if (!statistics) return null
  const level = statistics.prepaidRatio
  const figure = (label: string, value: string, className?: string) => (
    <span className={className}>
      {label}{' '}
      <b>
        <Num>{formatFixed(value, 2)}</Num>
      </b>
    </span>
  )
  return (
    <div className={styles.bar}>
      <span className={styles.level}>
        {t('figure.margin_level')}
        <b>
          <Num>{level ? formatPercent(level) : '–'}</Num>
        </b>
        <span className={styles.gauge}>
          <Gauge level={level ? Number(level) : null} />
        </span>
      </span>
      {figure(t('figure.balance'), statistics.balance, styles.spare)}
      {figure(t('figure.equity'), statistics.netValue)}
      {figure(t('trade.used_margin'), statistics.prepaidAmount, styles.spare)}
      {figure(t('trade.free_margin'), statistics.usablePrepaid)}
      <span>
        {t('figure.open_profit')} <ChangeText kind="number" value={statistics.totalProfit} />
      </span>
    </div>
  )
}
