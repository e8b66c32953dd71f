import { useEffect, useState } from 'react'

export type Countdown = {
  /** Whole seconds left; 0 if it is over or was never started. */
  left: number
  start: (seconds: number) => void
}

const TICK_MS = 1000

/** A countdown in seconds. It follows the clock, so it is correct after the page was suspended. */
export function useCountdown(): Countdown {
  const [endsAt, setEndsAt] = useState(0)
  const [now, setNow] = useState(Date.now)
  const running = endsAt > now

  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [running])

  const start = (from: number) => {
    const at = Date.now()
    setNow(at)
    setEndsAt(at + from * 1000)
  }

  return { left: Math.max(0, Math.ceil((endsAt - now) / 1000)), start }
}
