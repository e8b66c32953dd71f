import { useMarketStatus } from '@/features/market/api/market-status'

/** The market's time, which is not the clock's where prices are replayed; expiries are meant in it. */
export function useMarketNow(): () => number {
  const { data } = useMarketStatus()
  return () => (data?.marketTime ? data.marketTime + (Date.now() - data.fetchedAt) : Date.now())
}
