import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed, formatPercent } from '@/format/amount'
import { useAccount } from '@/live/account-store'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import styles from '../positions/positions-panel.module.css'
import { StopOutLine } from './stop-out-line'

/** What the account is worth, what is in use, what a stop-out would close first, and the way to the wallet. */
export function Funds() {
  const { t } = useTranslation()
  const statistics = useAccount((account) => account.statistics)
  if (!statistics) return <SkeletonRows rows={3} />
  const { balance, netValue, prepaidAmount, usablePrepaid, prepaidRatio, totalProfit } = statistics
  const amount = (value: string) => <Num>{formatFixed(value, 2)}</Num>
  const figures: [string, ReactNode][] = [
    [t('figure.balance'), amount(balance)],
    [t('figure.equity'), amount(netValue)],
    [t('trade.used_margin'), amount(prepaidAmount)],
    [t('trade.free_margin'), amount(usablePrepaid)],
    [
      t('figure.margin_level'),
      <Num key="level">{prepaidRatio ? formatPercent(prepaidRatio) : '–'}</Num>,
    ],
    [t('figure.open_profit'), <ChangeText key="profit" kind="number" value={totalProfit} />],
  ]
  return (
    <>
      <dl className={styles.funds}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.fundsFoot}>
        <StopOutLine />
        <Button to="/mywallet" size="small">
          {t('trade.transfers')}
        </Button>
      </div>
    </>
  )
}
