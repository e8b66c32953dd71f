import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { useProducts } from '@/features/market/api/products'
import { useStatement } from '@/features/trading/api/statement'
import { StatementSheet } from '@/features/trading/components/statement/statement-sheet'
import { monthsUpTo, periodOfMonth, readMonth } from '@/features/trading/model/statement-month'
import { dayOf } from '@/format/days'
import { formatMonth } from '@/format/time'
import { userInfoQuery } from '@/session/info-query'
import { useIsDemo } from '@/session/session-store'
import { usePreferences } from '@/theme/preferences'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { FilterSelect } from '@/ui/filters'
import { IconButton } from '@/ui/icon-button'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useTimeStyle } from '@/ui/time-text'
import { useTitle } from '../use-title'
import styles from './statement.module.css'

const MONTHS = 24

/** The statement of a month, to print or to save as a PDF. */
export default function Statement() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const today = dayOf(Date.now(), zone)
  const month = readMonth(params.get('month'), today)
  const period = periodOfMonth(month, zone)
  const { data, error, refetch, isFetching } = useStatement(period)
  const { data: products } = useProducts()
  const { data: info } = useQuery(userInfoQuery)
  const demo = useIsDemo()
  // A month is the same in every time zone; its name is the file's.
  const style = { ...useTimeStyle(), timeZone: 'utc' } as const
  const nameOf = (one: string) => formatMonth(Date.parse(`${one}-01`), style)
  useTitle(`${t('statement.title')} ${month}`)
  const ready = data && products && info
  return (
    <main className={styles.page}>
      <div className={styles.tools}>
        <IconButton to="/historyOrders" icon="back" label={t('ui.back')} size={22} strong />
        <FilterSelect
          label={t('statement.month')}
          all={nameOf(today.slice(0, 7))}
          value={month === today.slice(0, 7) ? undefined : month}
          options={monthsUpTo(today, MONTHS)
            .slice(1)
            .map((value) => ({ value, text: nameOf(value) }))}
          onPick={(value) => setParams(value ? { month: value } : {}, { replace: true })}
        />
        <Button variant="primary" disabled={!ready} onClick={() => window.print()}>
          {t('statement.print')}
        </Button>
      </div>
      {error && (
        <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
      )}
      {!ready && !error && <SkeletonRows rows={8} rowHeight={40} />}
      {ready && (
        <StatementSheet
          statement={data}
          period={period}
          name={info.userName}
          demo={demo}
          products={products}
        />
      )}
    </main>
  )
}
