import { useMarketStatus } from '@/features/market/api/market-status'

/** Returns market time, which differs from the clock in a replay; expiries use it. */
export function useMarketNow(): () => number {
  const { data } = useMarketStatus()
  return () => (data?.marketTime ? data.marketTime + (Date.now() - data.fetchedAt) : Date.now())
}
