import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

/** The account's last fills. */
export const lastFillsQuery = queryOptions({
  queryKey: ['history', 'fills', 'last'],
  queryFn: () => call(api.GET('/client/trade/findFillPage', { params: { query: { size: 30 } } })),
})
