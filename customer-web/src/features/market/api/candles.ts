import { queryOptions } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

type Period = '1h' | '1d'

/** Candles that reach back far enough for the changes of a product page: eight days of hours, a year of days. */
const SIZE: Record<Period, number> = { '1h': 8 * 24, '1d': 366 }

/** A product's latest candles of a period, oldest first. */
export function candlesQuery(productId: number, period: Period) {
  return queryOptions({
    queryKey: ['candles', productId, period],
    queryFn: (): Promise<Wire['Kline'][]> =>
      call(
        api.GET('/client/api/findKline', {
          params: { query: { productId, period, size: SIZE[period] } },
        }),
      ),
    staleTime: 60_000,
  })
}
