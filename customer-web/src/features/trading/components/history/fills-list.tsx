import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import type { Product } from '@/features/market/api/products'
import { useTables } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { FillQuery } from '../../api/history'
import { useFillList } from '../../api/use-history'
import { FillCard } from './fill-card'
import { FillsTable } from './fills-table'
import styles from './history.module.css'

export type FillsListProps = {
  query: FillQuery
  products: readonly Product[]
  /** Opens the chart of a position's trade. */
  onChart: (productId: number, positionId: number) => void
  onReset: () => void
}

/** Fills, newest first, with a "show more" button: a table on a desktop, cards on a phone. */
export function FillsList({ query, products, onChart, onReset }: FillsListProps) {
  const { t } = useTranslation()
  const tables = useTables()
  const list = useFillList(query)
  const { data, error } = list
  if (!data)
    return error ? (
      <ListFoot query={list} />
    ) : (
      <SkeletonRows rows={8} rowHeight={tables ? 40 : 66} />
    )
  const fills = data.pages.flatMap((page) => page.list)
  if (fills.length === 0 && !list.hasNextPage) {
    return (
      <EmptyState
        icon="clock"
        text={t('history.no_fills')}
        action={<Button onClick={onReset}>{t('history.empty_action')}</Button>}
      />
    )
  }
  return (
    <>
      {tables ? (
        <FillsTable fills={fills} products={products} onPick={onChart} />
      ) : (
        <ul className={styles.cards} aria-label={t('trade.fills')}>
          {fills.map((fill) => (
            <li key={fill.fillId}>
              <FillCard
                fill={fill}
                product={products.find(({ productId }) => productId === fill.productId)}
              />
            </li>
          ))}
        </ul>
      )}
      <ListFoot query={list} className={styles.more} />
    </>
  )
}
