import { useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { useAccount } from '@/live/account-store'
import { applyAccount } from '@/live/live'
import { useSession } from '@/session/session-store'
import type { StoredBalance } from '@/storage/entries'
import { storage } from '@/storage/storage'

export type Assets = {
  /** The latest answer, pushed while prices move. Null until the first one. */
  statistics: Wire['Statistics'] | null
  /** The stored balance of the last visit, only shown until then. */
  remembered: StoredBalance | null
  error: Error | null
  fetching: boolean
  refetch: () => void
}

/** The account's current value, pushed by the live connection and fetched until the first push. */
export function useAssets(): Assets {
  const token = useSession((session) => session.token)
  const statistics = useAccount((account) => account.statistics)
  const { error, isFetching, refetch } = useQuery({
    queryKey: ['statistics'],
    queryFn: async () => {
      const found = await call(api.GET('/client/trade/findStatistics'))
      applyAccount({ statistics: found })
      return found
    },
    enabled: token !== null && statistics === null,
  })
  return {
    statistics,
    remembered: statistics ? null : storage.read('balance'),
    error: statistics ? null : error,
    fetching: isFetching,
    refetch: () => void refetch(),
  }
}
