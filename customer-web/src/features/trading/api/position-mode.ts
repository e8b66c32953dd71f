import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { userInfoQuery } from '@/session/info-query'

/** Sets the account's position mode. It must have no positions and no pending orders. */
export function useUpdatePositionMode() {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['UpdateAccountMode'], write) =>
      call(api.POST('/client/trade/updateAccountMode', { body, ...idempotent(write) })),
    onAnswer: ({ netting }) => {
      client.setQueryData(userInfoQuery.queryKey, (info) => info && { ...info, netting })
      void client.invalidateQueries({ queryKey: userInfoQuery.queryKey })
    },
  })
}
