import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Num } from '@/ui/num'
import { formatLeft, useTimeLeft } from '@/ui/use-time-left'
import { securityQuery } from '../api/security'

export type TimeLeftProps = { until: number }

/** Counts down the end of a lock by the server's clock, then refetches. */
export function TimeLeft({ until }: TimeLeftProps) {
  const client = useQueryClient()
  const left = useTimeLeft(until)
  const over = left === 0
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: securityQuery.queryKey })
  }, [over, client])
  return (
    <span role="timer">
      <Num>{formatLeft(left)}</Num>
    </span>
  )
}
