import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { reasonOf } from '@/api/reason'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import { ErrorBlock } from '@/ui/error-block'
import { Pagination } from '@/ui/pagination'
import { SkeletonRows } from '@/ui/skeleton-rows'

export type NumberedListProps<T> = {
  query: UseQueryResult<{ list: T[]; total: number }>
  /** One entry as a list item with its key. */
  /** Receives all shown entries as its second argument. */
  row: (one: T, all: readonly T[]) => ReactNode
  empty: ReactNode
  reassurance: string
  className?: string | undefined
}

/** One page of a list with page numbers; the address contains the page. */
export function NumberedList<T>(props: NumberedListProps<T>) {
  const { query, row, empty, reassurance, className } = props
  const [search, setSearch] = useSearchParams()

  const show = (page: number) => {
    const next = new URLSearchParams(search)
    next.set('page', String(page))
    setSearch(next, { replace: true })
  }

  if (query.isPending) return <SkeletonRows rows={PAGINATION_PAGE_SIZE} rowHeight={44} />
  if (query.isError) {
    return (
      <ErrorBlock
        {...reasonOf(query.error)}
        reassurance={reassurance}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    )
  }
  const { list, total } = query.data
  if (total === 0) return empty
  return (
    <>
      <ul className={className} aria-busy={query.isPlaceholderData}>
        {list.map((one) => row(one, list))}
      </ul>
      <Pagination total={total} onChangePage={show} />
    </>
  )
}
