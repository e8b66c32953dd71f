import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type Channel = Wire['PayChannel']

/** The deposit channels with their payment details. */
export const channelsQuery = queryOptions({
  queryKey: ['pay-channels'],
  queryFn: () => call(api.GET('/client/payChannel/getPayChannelList')),
  staleTime: 60_000,
})

export function useChannels() {
  return useQuery(channelsQuery)
}
