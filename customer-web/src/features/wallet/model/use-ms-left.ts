import { useEffect, useState } from 'react'

const TICK_MS = 250

/** Milliseconds until a moment by this page's clock, updated four times a second; 0 once it has passed. */
export function useMsLeft(until: number): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    setNow(performance.now())
    const timer = setInterval(() => setNow(performance.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, until - now)
}
