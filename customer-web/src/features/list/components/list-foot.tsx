import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'

type Paged = 'error' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'hasNextPage'

export type ListFootProps = {
  /** A list fetched page by page. */
  query: Pick<UseInfiniteQueryResult, Paged> & {
    fetchNextPage: () => Promise<unknown>
    refetch: () => Promise<unknown>
  }
  /** What is not affected by the failure. */
  reassurance?: string
  className?: string | undefined
}

/** The foot of a list: a "show more" button, or the error with a retry button. */
export function ListFoot({ query, reassurance, className }: ListFootProps) {
  const { t } = useTranslation()
  if (query.error)
    return (
      <ErrorBlock
        {...reasonOf(query.error)}
        reassurance={reassurance}
        onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        retrying={query.isFetching}
      />
    )
  if (!query.hasNextPage) return null
  return (
    <div className={className}>
      <Button block busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t('history.more')}
      </Button>
    </div>
  )
}
