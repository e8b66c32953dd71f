import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { fetchUntilNonEmpty } from '@/api/fetch-until-non-empty'
import { PAGINATION_PAGE_SIZE } from '@/constants'

/** The filter of closed positions; times in ms, `endTime` is exclusive. */
export type HistoryQuery = {
  productId?: number
  side?: Wire['SideFilter']
  openedBy?: Wire['OpeningFilter']
  closeReason?: Wire['CloseReasonFilter']
  startTime: number
  endTime: number
}

/** The filter of fills; times as above. */
export type FillQuery = Pick<HistoryQuery, 'productId' | 'side' | 'startTime' | 'endTime'> & {
  rule?: Wire['RuleFilter']
}

/** The filter of orders that ended without a fill; times are those of placing. */
export type OrderQuery = Pick<HistoryQuery, 'productId' | 'side' | 'startTime' | 'endTime'> & {
  type?: Wire['OrderTypeFilter']
  reason?: Wire['EndReasonFilter']
  status: 'unfilled'
}

/** Maximum fills per call. */
const FILLS_PER_CALL = 100

function fetchPage(query: HistoryQuery, page: number): Promise<Wire['HistoryPage']> {
  return call(
    api.GET('/client/trade/findHistoryPage', {
      params: { query: { ...query, page, size: PAGINATION_PAGE_SIZE } },
    }),
  )
}

/** One page of closed positions; the previous page stays visible until it is loaded. */
export function historyPageQuery(query: HistoryQuery, page: number) {
  return queryOptions({
    queryKey: ['history', 'positions', query, page],
    queryFn: () => fetchPage(query, page),
    placeholderData: keepPreviousData,
  })
}

/** Closed positions page by page, each from the last position of the previous page. */
export function historyListQuery(query: HistoryQuery) {
  return infiniteQueryOptions({
    queryKey: ['history', 'positions', query, 'list'],
    queryFn: ({ pageParam }) =>
      fetchUntilNonEmpty(pageParam, (from) =>
        call(
          api.GET('/client/trade/findHistoryPage', {
            params: {
              query: { ...query, size: PAGINATION_PAGE_SIZE, ...(from > 0 ? { next: from } : {}) },
            },
          }),
        ),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** Fills, newest first, each page from the last id of the previous one. */
export function fillListQuery(query: FillQuery) {
  return infiniteQueryOptions({
    queryKey: ['history', 'fills', query, 'list'],
    queryFn: ({ pageParam }) =>
      fetchUntilNonEmpty(pageParam, (from) =>
        call(
          api.GET('/client/trade/findFillPage', {
            params: { query: { ...query, ...(from > 0 ? { next: from } : {}) } },
          }),
        ),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** Every fill of a position, oldest first. */
export function positionFillsQuery(positionId: number) {
  return queryOptions({
    queryKey: ['history', 'fills', positionId],
    queryFn: () => fetchFillsOf(positionId),
  })
}

/** Every fill of a position, oldest first, in as many calls as needed. */
async function fetchFillsOf(positionId: number): Promise<Wire['Fill'][]> {
  const fills: Wire['Fill'][] = []
  let next = 0
  do {
    const page = await call(
      api.GET('/client/trade/findFillPage', {
        params: { query: { positionId, size: FILLS_PER_CALL, ...(next > 0 ? { next } : {}) } },
      }),
    )
    fills.push(...page.list)
    next = page.next
  } while (next > 0)
  return fills.sort((a, b) => a.fillId - b.fillId)
}
