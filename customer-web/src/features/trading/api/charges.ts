import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type Charge = Wire['Charge']

/** The swaps and dividends of a position or of the whole account, newest first, in pages of `size`. */
export function chargesQuery(account: string, size: number, positionId?: number) {
  return infiniteQueryOptions({
    queryKey: ['history', 'charges', account, positionId ?? 'all', size],
    queryFn: ({ pageParam }) =>
      call(
        api.GET('/client/trade/findChargePage', {
          params: {
            query: {
              size,
              ...(positionId === undefined ? {} : { positionId }),
              ...(pageParam > 0 ? { next: pageParam } : {}),
            },
          },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}
