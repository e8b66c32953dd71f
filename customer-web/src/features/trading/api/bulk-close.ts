import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { applyAccount, fetchAccount } from '@/live/live'
import { refreshHistory } from './orders'

export type CloseResult = Wire['CloseResult']

/** A write that ends more than one position, or ends one and opens another; what is open after it is fetched anew. */
function useCloseWrite<Body>(
  send: (body: Body, key: string) => Promise<CloseResult>,
  onChecking?: () => void,
) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send,
    onChecking,
    onAnswer: ({ statistics }) => {
      applyAccount({ statistics })
      void fetchAccount()
      void refreshHistory(client)
    },
  })
}

/** Closes a position and opens its opposite with the same volume. */
export const useReversePosition = (onChecking?: () => void) =>
  useCloseWrite(
    (body: Wire['ReversePosition'], key) =>
      call(api.POST('/client/trade/reversePosition', { body, ...idempotent(key) })),
    onChecking,
  )

/** Settles two opposite positions against each other. */
export const useCloseByPosition = (onChecking?: () => void) =>
  useCloseWrite(
    (body: Wire['CloseByPosition'], key) =>
      call(api.POST('/client/trade/closeByPosition', { body, ...idempotent(key) })),
    onChecking,
  )

/** Closes every position, or those of a product or side. */
export const useCloseAllPositions = (onChecking?: () => void) =>
  useCloseWrite(
    (body: Wire['CloseAllPositions'], key) =>
      call(api.POST('/client/trade/closeAllPositions', { body, ...idempotent(key) })),
    onChecking,
  )
