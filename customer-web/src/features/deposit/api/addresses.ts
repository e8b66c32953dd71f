import { useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/session/session-store'

/** The trader's deposit address of a channel. It never changes once assigned. */
export function useDepositAddress(channelId: number | null) {
  const owner = useSession(({ user }) => user?.userId ?? '')
  return useQuery({
    queryKey: ['deposit-address', owner, channelId],
    queryFn: () =>
      call(
        api.GET('/client/recharge/getDepositAddress', {
          params: { query: { channelId: channelId ?? 0 } },
        }),
      ),
    enabled: channelId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
