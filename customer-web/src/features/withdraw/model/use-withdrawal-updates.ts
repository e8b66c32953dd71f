import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onAccountEvent } from '@/live/live'
import { refreshWithdrawals } from '../api/withdrawals'

/** Refetches withdrawals and limits when money moved. */
export function useWithdrawalUpdates(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onAccountEvent(({ event }) => {
        if (event === 'balance') void refreshWithdrawals(client)
      }),
    [client],
  )
}
