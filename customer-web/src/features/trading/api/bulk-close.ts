import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire, type Write } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { applyAccount, fetchAccount } from '@/live/live'
import { refreshHistory } from './orders'

export type CloseResult = Wire['CloseResult']

/** A write that closes several positions, or closes one and opens another; open positions are refetched afterwards. */
function useCloseWrite<Body>(
  send: (body: Body, write: Write) => Promise<CloseResult>,
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

/** Closes a position and opens the opposite one with the same volume. */
export const useReversePosition = (onChecking?: () => void) =>
  useCloseWrite(
    (body: Wire['ReversePosition'], write) =>
      call(api.POST('/client/trade/reversePosition', { body, ...idempotent(write) })),
    onChecking,
  )

/** Settles two opposite positions against each other. */
export const useCloseByPosition = (onChecking?: () => void) =>
  useCloseWrite(
    (body: Wire['CloseByPosition'], write) =>
      call(api.POST('/client/trade/closeByPosition', { body, ...idempotent(write) })),
    onChecking,
  )

/** Closes all positions, or those of a product or side. */
export const useCloseAllPositions = (onChecking?: () => void) =>
  useCloseWrite(
    (body: Wire['CloseAllPositions'], write) =>
      call(api.POST('/client/trade/closeAllPositions', { body, ...idempotent(write) })),
    onChecking,
  )
