import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { ListFoot } from '@/features/list/components/list-foot'
import type { Product } from '@/features/market/api/products'
import { dayOf } from '@/format/days'
import { usePreferences } from '@/theme/preferences'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { HistoryQuery } from '../../api/history'
import { useDayTotals } from '../../api/performance'
import { useHistoryList } from '../../api/use-history'
import { DayHead } from './day-head'
import { FillsSheet } from './fills-sheet'
import styles from './history.module.css'
import { HistoryCard } from './history-card'
import { HistoryEmpty } from './history-empty'
import { HistoryTotals } from './history-totals'

export type HistoryListProps = {
  query: HistoryQuery
  products: readonly Product[]
  /** The screen with the chart of a position's trade. */
  chartPath: (position: Wire['Position']) => string | undefined
  onReset: () => void
}

/** Closed positions on a phone: cards with a "show more" button. */
export function HistoryList({ query, products, chartPath, onReset }: HistoryListProps) {
  const days = useDayTotals(query)
  const zone = usePreferences(({ timeZone }) => timeZone)
  const { t } = useTranslation()
  const history = useHistoryList(query)
  const [opened, setOpened] = useState<Wire['Position'] | null>(null)
  const { data, error } = history
  if (!data) return error ? <ListFoot query={history} /> : <SkeletonRows rows={6} rowHeight={66} />
  const shown = data.pages.flatMap(({ list }) => list)
  if (shown.length === 0 && !history.hasNextPage) return <HistoryEmpty onReset={onReset} />
  const dayOfClosing = ({ closedAt = 0 }: Wire['Position']) => dayOf(closedAt, zone)
  const productOf = (id: number) => products.find(({ productId }) => productId === id)
  return (
    <>
      <ul className={styles.cards} aria-label={t('history.title')}>
        {shown.map((position, index) => {
          const day = dayOfClosing(position)
          const before = shown[index - 1]
          return (
            <li key={position.positionId}>
              {(!before || dayOfClosing(before) !== day) && (
                <DayHead at={position.closedAt ?? 0} net={days.get(day)} />
              )}
              <HistoryCard
                position={position}
                product={productOf(position.productId)}
                onOpen={() => setOpened(position)}
              />
            </li>
          )
        })}
      </ul>
      <HistoryTotals positions={shown} found={data.pages[0]?.total ?? 0} />
      <ListFoot query={history} className={styles.more} />
      {opened && (
        <FillsSheet
          position={opened}
          product={productOf(opened.productId)}
          chartPath={chartPath(opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
