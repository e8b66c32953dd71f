import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type DayLine = Wire['DayLine']

/** Maximum products per call. */
const PER_CALL = 100
const REFETCH_MS = 60_000

/** The 24-hour lines of a list, by product, in as few calls as possible. */
export function dayLinesQuery(productIds: readonly number[]) {
  const ids = [...productIds].sort((a, b) => a - b)
  return queryOptions({
    queryKey: ['day-lines', ids.join()],
    queryFn: () => fetchDayLines(ids),
    enabled: ids.length > 0,
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
    select: byProduct,
  })
}

async function fetchDayLines(ids: readonly number[]): Promise<DayLine[]> {
  const calls: Promise<DayLine[]>[] = []
  for (let from = 0; from < ids.length; from += PER_CALL) {
    const productNolist = ids.slice(from, from + PER_CALL).join()
    calls.push(call(api.GET('/client/api/fp24hp', { params: { query: { productNolist } } })))
  }
  return (await Promise.all(calls)).flat()
}

function byProduct(lines: readonly DayLine[]): ReadonlyMap<number, DayLine> {
  return new Map(lines.map((line) => [line.productId, line]))
}

const none: ReadonlyMap<number, DayLine> = new Map()

/** The lines are optional: if they fail, rows are shown without them. */
export function useDayLines(productIds: readonly number[]): ReadonlyMap<number, DayLine> {
  return useQuery(dayLinesQuery(productIds)).data ?? none
}
