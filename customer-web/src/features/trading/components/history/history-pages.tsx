import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { ErrorBlock } from '@/ui/error-block'
import { Pagination } from '@/ui/pagination'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { HistoryQuery } from '../../api/history'
import { useDayTotals } from '../../api/performance'
import { useHistoryPage } from '../../api/use-history'
import { FillsSheet } from './fills-sheet'
import styles from './history.module.css'
import { HistoryEmpty } from './history-empty'
import { HistoryTable } from './history-table'

export type HistoryPagesProps = {
  query: HistoryQuery
  page: number
  products: readonly Product[]
  /** The screen with the chart of a position's trade. */
  chartPath: (position: Wire['Position']) => string | undefined
  onTurn: (page: number) => void
  onReset: () => void
}

/** Closed positions on a desktop, page by page. */
export function HistoryPages(props: HistoryPagesProps) {
  const { query, page, products, chartPath, onTurn, onReset } = props
  const days = useDayTotals(query)
  const { t } = useTranslation()
  const { data, error, refetch, isFetching } = useHistoryPage(query, page)
  const [opened, setOpened] = useState<Wire['Position'] | null>(null)
  if (!data) {
    if (!error) return <SkeletonRows rows={8} rowHeight={40} />
    return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
  }
  if (data.total === 0) return <HistoryEmpty onReset={onReset} />
  return (
    <>
      <HistoryTable
        positions={data.list}
        products={products}
        days={days}
        chartPath={chartPath}
        onOpen={setOpened}
      />
      <div className={styles.foot}>
        <span className={styles.found}>
          {t('history.found', { count: data.total })}
          {data.more && '+'}
        </span>
        <Pagination total={data.total} pagesize={data.size} onChangePage={onTurn} />
      </div>
      {opened && (
        <FillsSheet
          position={opened}
          product={products.find(({ productId }) => productId === opened.productId)}
          chartPath={chartPath(opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
