import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { onAccountEvent } from '@/live/live'
import { type Deposit, type DepositState, refreshDeposits } from '../api/deposits'

/** The last state seen of each deposit on any screen, so that each credit is announced once. */
const seen = new Map<number, DepositState>()

/** Refetches deposits when money moved, and calls back for each deposit that is credited while it is watched. */
export function useCreditNotifications(
  deposits: readonly Deposit[],
  onCredited: (deposit: Deposit) => void,
): void {
  const client = useQueryClient()
  const notify = useRef(onCredited)

  useEffect(() => {
    notify.current = onCredited
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
      const before = seen.get(deposit.rechargeId)
      // Credited is final; a stale response does not undo it.
      if (before === 'credited') continue
      seen.set(deposit.rechargeId, deposit.state)
      if (before !== undefined && deposit.state === 'credited') {
        notify.current(deposit)
      }
    }
  }, [deposits])
}
