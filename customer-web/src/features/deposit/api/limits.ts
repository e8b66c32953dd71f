import { useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'

const STALE_MS = 5 * 60_000

/** Currencies with their limits. */
export function useCurrencies() {
  return useQuery({
    queryKey: ['currencies'],
    queryFn: () => call(api.GET('/client/api/findCurrencyMoneyList')),
    staleTime: STALE_MS,
  })
}

/** The deposit total allowed before verification, in USDT; asked for if wanted. */
export function useUnverifiedTotal(wanted: boolean) {
  return useQuery({
    queryKey: ['config', 'deposit.unverified_total'],
    queryFn: () =>
      call(
        api.GET('/client/api/findConfigByKey', {
          params: { query: { key: 'deposit.unverified_total' } },
        }),
      ),
    staleTime: STALE_MS,
    select: ({ value }) => value,
    enabled: wanted,
  })
}
