import { queryOptions } from '@tanstack/react-query'
import { api, call } from '@/api/client'

/** When a product trades in the next seven days, in market time. */
export function tradingTimesQuery(productId: number) {
  return queryOptions({
    queryKey: ['trading-times', productId],
    queryFn: () => call(api.GET('/client/api/findTimeTrade', { params: { query: { productId } } })),
  })
}
