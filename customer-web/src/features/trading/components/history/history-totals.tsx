import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { formatFixed } from '@/format/amount'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { totalsOf } from '../../model/history-totals'
import styles from './history.module.css'

export type HistoryTotalsProps = {
  positions: readonly Wire['Position'][]
  /** The number of positions on all pages. */
  found: number
}

/** The totals of the closed positions shown on a phone. */
export function HistoryTotals({ positions, found }: HistoryTotalsProps) {
  const { t } = useTranslation()
  const { profit, commission, swap, net } = totalsOf(positions)
  return (
    <section className={styles.totals} aria-label={t('history.totals_shown')}>
      <h2>
        {t('history.totals_shown')}{' '}
        <Num>
          {positions.length} / {found}
        </Num>
      </h2>
      <dl>
        <div>
          <dt>{t('trade.profit_unit')}</dt>
          <dd>
            <ChangeText kind="number" value={profit} arrow />
          </dd>
        </div>
        <div>
          <dt>{t('trade.commission')}</dt>
          <dd>
            <Num>{formatFixed(commission, 2)}</Num>
          </dd>
        </div>
        <div>
          <dt>{t('position.swap')}</dt>
          <dd>
            <Num>{formatFixed(swap, 2)}</Num>
          </dd>
        </div>
        {net !== profit && (
          <div>
            <dt>{t('history.net')}</dt>
            <dd>
              <ChangeText kind="number" value={net} arrow />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
