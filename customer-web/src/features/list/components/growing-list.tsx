import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { ListFoot } from './list-foot'

export type GrowingListProps<T> = {
  query: UseInfiniteQueryResult<InfiniteData<{ list: T[] }>>
  idOf: (one: T) => number
  /** One entry as a list item with its key. */
  /** Receives all shown entries as its second argument. */
  row: (one: T, all: readonly T[]) => ReactNode
  empty: ReactNode
  reassurance: string
  className?: string | undefined
}

/** A list, newest first, with a "show more" button. */
export function GrowingList<T>(props: GrowingListProps<T>) {
  const { query, idOf, row, empty, reassurance, className } = props
  if (query.isPending) return <SkeletonRows rows={6} rowHeight={60} />
  // If a page moved between two requests, an entry must not appear twice.
  const all = new Map(query.data?.pages.flatMap(({ list }) => list).map((one) => [idOf(one), one]))
  if (query.data && all.size === 0) return empty
  return (
    <>
      <ul className={className}>{[...all.values()].map((one, _, shown) => row(one, shown))}</ul>
      <ListFoot query={query} reassurance={reassurance} />
    </>
  )
}
