import { useEffect, useState } from 'react'

const STEP_MS = 500

/** The age of a moment in ms, updated every half second; null without a moment. */
export function useAge(at: number | undefined): number | null {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS)
    return () => clearInterval(timer)
  }, [])
  return at === undefined ? null : Math.max(0, now - at)
}
