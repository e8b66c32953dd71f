import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { lastFillsQuery } from '../../api/fills'
import { FillsTable, type FillsTableProps } from './fills-table'

export type LastFillsProps = Pick<FillsTableProps, 'products'>

/** The account's last fills. */
export function LastFills({ products }: LastFillsProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(lastFillsQuery)
  if (error) return <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={4} />
  if (data.list.length === 0) return <EmptyState text={t('trade.no_fills')} />
  return <FillsTable fills={data.list} products={products} />
}
