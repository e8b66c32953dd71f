import { useEffect, useState } from 'react'
import { serverNow } from '@/api/request-headers'

/** Milliseconds until a moment by the server's clock, updated every second; 0 once it has passed. */
export function useTimeLeft(until: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, until - now)
}

/** 71:59:08 */
export function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
