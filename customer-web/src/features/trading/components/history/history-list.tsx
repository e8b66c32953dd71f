import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { ListFoot } from '@/features/list/components/list-foot'
import type { Product } from '@/features/market/api/products'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { HistoryQuery } from '../../api/history'
import { useHistoryList } from '../../api/use-history'
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

/** Closed positions on a phone: cards with a "show more" button. */
export function HistoryList({ query, products, onReset }: HistoryListProps) {
  const { t } = useTranslation()
  const history = useHistoryList(query)
  const [opened, setOpened] = useState<Wire['Position'] | null>(null)
  const { data, error } = history
  if (!data) return error ? <ListFoot query={history} /> : <SkeletonRows rows={6} rowHeight={66} />
  const shown = data.pages.flatMap(({ list }) => list)
  if (shown.length === 0 && !history.hasNextPage) return <HistoryEmpty onReset={onReset} />
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
      <ListFoot query={history} className={styles.more} />
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
