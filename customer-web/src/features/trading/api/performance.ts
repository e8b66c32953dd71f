import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { zoneName } from '@/format/zone'
import { usePreferences } from '@/theme/preferences'
import type { HistoryQuery } from './history'
import { useFreshHistory } from './use-history'

function performanceQuery(query: HistoryQuery, zone: string) {
  return queryOptions({
    queryKey: ['history', 'performance', query, zone],
    queryFn: () =>
      call(api.GET('/client/trade/findPerformance', { params: { query: { ...query, zone } } })),
  })
}

/** What the positions closed in a period brought; days are those of the trader's zone. */
export function usePerformance(query: HistoryQuery) {
  const zone = usePreferences(({ timeZone }) => timeZone)
  useFreshHistory()
  return useQuery(performanceQuery(query, zoneName(zone)))
}

/** The net of each day with a closing, by day; empty until it is known. */
export function useDayTotals(query: HistoryQuery): ReadonlyMap<string, string> {
  const { data } = usePerformance(query)
  return new Map(data?.days.map(({ day, earnings }: Wire['DayEarnings']) => [day, earnings.net]))
}
