import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { lastFillsQuery } from '../../api/fills'
import { FillsTable, type FillsTableProps } from './fills-table'
import styles from './history.module.css'

export type LastFillsProps = Pick<FillsTableProps, 'products' | 'onPick'> & {
  /** Limits the list to one product. */
  productId: number | undefined
}

/** The account's last fills, and the way to all of them. */
export function LastFills({ products, productId, onPick }: LastFillsProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(lastFillsQuery)
  if (error) return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={4} />
  const fills = data.list.filter((one) => productId === undefined || one.productId === productId)
  if (fills.length === 0) return <EmptyState text={t('trade.no_fills')} />
  return (
    <>
      <FillsTable fills={fills} products={products} onPick={onPick} />
      <p className={styles.more}>
        <Button to="/historyOrders" variant="text" size="small">
          {t('trade.history')}
        </Button>
      </p>
    </>
  )
}
