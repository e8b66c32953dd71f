import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type MarginCall = Wire['MarginCall']

/** Margin calls per page; each one needs another call for its stop-outs. */
const SIZE = 5
/** Maximum closed positions per call. */
const CLOSED_PER_CALL = 100

/** The account's margin calls, newest first. */
export function marginCallsQuery(account: string) {
  return infiniteQueryOptions({
    queryKey: ['history', 'margin-calls', account],
    queryFn: ({ pageParam }) =>
      call(
        api.GET('/client/trade/findMarginCallPage', {
          params: { query: { size: SIZE, ...(pageParam > 0 ? { next: pageParam } : {}) } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** Positions stopped out between a margin call and the recovery, oldest first. */
export function stopOutsQuery({ time, recoveredAt }: Pick<MarginCall, 'time' | 'recoveredAt'>) {
  return queryOptions({
    queryKey: ['history', 'stop-outs', time, recoveredAt ?? null],
    queryFn: () => fetchStopOuts(time, recoveredAt),
  })
}

async function fetchStopOuts(time: number, until?: number): Promise<Wire['Position'][]> {
  const closed: Wire['Position'][] = []
  let next = 0
  do {
    const answer = await call(
      api.GET('/client/trade/findHistoryPage', {
        params: {
          query: {
            startTime: time,
            ...(until === undefined ? {} : { endTime: until + 1 }),
            closeReason: 'stop_out',
            size: CLOSED_PER_CALL,
            ...(next > 0 ? { next } : {}),
          },
        },
      }),
    )
    closed.push(...answer.list)
    next = answer.next
  } while (next > 0)
  return closed.reverse()
}
