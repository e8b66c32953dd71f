import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useKeyedWrite } from '@/api/keyed-write'
import { userInfoQuery } from '@/features/session/api/info-query'

/** Changes how the account keeps its positions; it must have none, and no waiting orders. */
export function useUpdateAccountMode() {
  const client = useQueryClient()
  return useKeyedWrite({
    send: (body: Wire['UpdateAccountMode'], key) =>
      call(api.POST('/client/trade/updateAccountMode', { body, ...idempotent(key) })),
    onAnswer: ({ netting }) => {
      client.setQueryData(userInfoQuery.queryKey, (info) => info && { ...info, netting })
      void client.invalidateQueries({ queryKey: userInfoQuery.queryKey })
    },
  })
}
