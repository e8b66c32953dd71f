import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { onAccountEvent } from '@/live/live'
import { type Deposit, type DepositState, refreshDeposits } from '../api/deposits'

/** Fetches deposits anew when money moved, and tells of each that becomes credited while it is watched. */
export function useCreditNews(
  deposits: readonly Deposit[],
  onCredited: (deposit: Deposit) => void,
): void {
  const client = useQueryClient()
  const seen = useRef(new Map<number, DepositState>())
  const tell = useRef(onCredited)

  useEffect(() => {
    tell.current = onCredited
  })

  useEffect(
    () =>
      onAccountEvent(({ event }) => {
        if (event === 'balance') void refreshDeposits(client)
      }),
    [client],
  )

  useEffect(() => {
    for (const deposit of deposits) {
      const before = seen.current.get(deposit.rechargeId)
      // Credited is final: an older answer that arrives later does not undo it.
      if (before === 'credited') continue
      seen.current.set(deposit.rechargeId, deposit.state)
      if (before !== undefined && deposit.state === 'credited') {
        tell.current(deposit)
      }
    }
  }, [deposits])
}
