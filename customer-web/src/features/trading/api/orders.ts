import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, CallFailure, call, idempotent, newKey, type Wire } from '@/api/client'
import { useAccount } from '@/live/account-store'
import { takeAccount } from '@/live/live'

export type TradeResult = Wire['TradeResult']

/** How often an unanswered write is asked for again, with the same key, before the trader is told. */
const CHECKS = 3
const CHECK_PAUSE_MS = 1_500

/** Sends a write; when no answer comes it asks again with the same key, which can't have a second effect. */
async function sendOnce<T>(send: () => Promise<T>, onChecking: () => void): Promise<T> {
  for (let check = 0; ; check++) {
    try {
      return await send()
    } catch (error) {
      const unanswered =
        error instanceof CallFailure && (error.httpStatus === 0 || error.httpStatus >= 502)
      if (!unanswered || check === CHECKS) throw error
      onChecking()
      await new Promise((resolve) => setTimeout(resolve, CHECK_PAUSE_MS))
    }
  }
}

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

function send<K extends keyof Writes>(name: K, body: Writes[K], key: string): Promise<TradeResult> {
  // The three writes have one shape of answer; the contract checks each body where it is built.
  return call(
    api.POST(paths[name] as typeof paths.insertOrder, {
      body: body as Writes['insertOrder'],
      ...idempotent(key),
    }),
  )
}

/**
 * One of the engine's writes. A press makes a key; the key is kept while the outcome is unknown, so that
 * pressing again asks for the first answer instead of acting twice.
 */
function useTradeWrite<K extends keyof Writes>(name: K, onChecking: () => void = () => {}) {
  const client = useQueryClient()
  const key = useRef<{ body: string; value: string } | null>(null)
  return useMutation({
    mutationFn: (body: Writes[K]) => {
      const text = JSON.stringify(body)
      if (key.current?.body !== text) key.current = { body: text, value: newKey() }
      const value = key.current.value
      return sendOnce(() => send(name, body, value), onChecking)
    },
    onSuccess: (result) => {
      key.current = null
      takeResult(result)
      void refreshHistory(client)
    },
    onError: (error) => {
      const answered =
        error instanceof CallFailure && error.httpStatus !== 0 && error.httpStatus < 502
      if (answered) key.current = null
    },
  })
}

/** A market order. */
export const useInsertOrder = (onChecking?: () => void) => useTradeWrite('insertOrder', onChecking)
/** Closes a position, whole or in part. */
export const useClosePosition = (onChecking?: () => void) =>
  useTradeWrite('closePosition', onChecking)
/** Sets or clears stop loss and take profit. */
export const useUpdatePosition = (onChecking?: () => void) =>
  useTradeWrite('updatePosition', onChecking)

/** Shows what an answer says at once; the pushes that follow say the same. */
function takeResult({ position, statistics }: TradeResult): void {
  const others = (useAccount.getState().positions ?? []).filter(
    (one) => one.positionId !== position.positionId,
  )
  const positions = position.state === 'open' ? [...others, position] : others
  positions.sort((a, b) => a.positionId - b.positionId)
  takeAccount({ statistics, positions })
}

/** Fetches lists of past deals and money anew. */
export function refreshHistory(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['history'] })
}
