import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire, type Write } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { useAccount } from '@/live/account-store'
import { applyAccount } from '@/live/live'

export type TradeResult = Wire['TradeResult']

type Writes = {
  insertOrder: Wire['InsertOrder']
  closePosition: Wire['ClosePosition']
  updatePosition: Wire['UpdatePosition']
}

const paths = {
  insertOrder: '/client/trade/insertOrder',
  closePosition: '/client/trade/closePosition',
  updatePosition: '/client/trade/updatePosition',
} as const

function send<K extends keyof Writes>(
  name: K,
  body: Writes[K],
  write: Write,
): Promise<TradeResult> {
  // The three writes answer in the same shape; the contract checks each body where it is built.
  return call(
    api.POST(paths[name] as typeof paths.insertOrder, {
      body: body as Writes['insertOrder'],
      ...idempotent(write),
    }),
  )
}

/** A write of the trading engine; pressing again while its outcome is unknown does not act twice. */
function useTradeWrite<K extends keyof Writes>(name: K, onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Writes[K], write) => send(name, body, write),
    onAnswer: (result) => {
      takeResult(result)
      void refreshHistory(client)
    },
    onChecking,
  })
}

/** Places a market order. */
export const useInsertOrder = (onChecking?: () => void) => useTradeWrite('insertOrder', onChecking)
/** Closes a position, fully or partly. */
export const useClosePosition = (onChecking?: () => void) =>
  useTradeWrite('closePosition', onChecking)
/** Sets or clears stop loss and take profit. */
export const useUpdatePosition = (onChecking?: () => void) =>
  useTradeWrite('updatePosition', onChecking)

/** Shows the answer at once; the pushes that follow carry the same data. */
function takeResult({ position, statistics }: TradeResult): void {
  const others = (useAccount.getState().positions ?? []).filter(
    (one) => one.positionId !== position.positionId,
  )
  const positions = position.state === 'open' ? [...others, position] : others
  positions.sort((a, b) => a.positionId - b.positionId)
  applyAccount({ statistics, positions })
}

/** Refetches the history and the money. */
export function refreshHistory(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['history'] })
}
