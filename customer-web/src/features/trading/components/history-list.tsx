import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { HistoryQuery } from '../api/history'
import { useHistoryList } from '../api/use-history'
import { FillsSheet } from './fills-sheet'
import styles from './history.module.css'
import { HistoryCard } from './history-card'
import { HistoryEmpty } from './history-empty'
import { HistoryTotals } from './history-totals'

export type HistoryListProps = {
  query: HistoryQuery
  products: readonly Product[]
  onReset: () => void
}

/** Closed positions on a phone: cards, and more of them on a press. */
export function HistoryList({ query, products, onReset }: HistoryListProps) {
  const { t } = useTranslation()
  const history = useHistoryList(query)
  const [opened, setOpened] = useState<Wire['Position'] | null>(null)
  const { data, error, refetch, isFetching } = history
  if (!data) {
    if (!error) return <SkeletonRows rows={6} rowHeight={66} />
    return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
  }
  // A position that closed meanwhile moves the others to the next page, where they come again.
  const shown = [
    ...new Map(data.pages.flatMap(({ list }) => list).map((one) => [one.positionId, one])).values(),
  ]
  if (shown.length === 0) return <HistoryEmpty onReset={onReset} />
  const productOf = (id: number) => products.find(({ productId }) => productId === id)
  return (
    <>
      <HistoryTotals positions={shown} found={data.pages[0]?.total ?? 0} />
      <ul className={styles.cards} aria-label={t('history.title')}>
        {shown.map((position) => (
          <li key={position.positionId}>
            <HistoryCard
              position={position}
              product={productOf(position.productId)}
              onOpen={() => setOpened(position)}
            />
          </li>
        ))}
      </ul>
      {error && <ErrorBlock {...reasonOf(error)} onRetry={() => void history.fetchNextPage()} />}
      {history.hasNextPage && !error && (
        <div className={styles.more}>
          <Button
            block
            busy={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {t('history.more')}
          </Button>
        </div>
      )}
      {opened && (
        <FillsSheet
          position={opened}
          product={productOf(opened.productId)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
