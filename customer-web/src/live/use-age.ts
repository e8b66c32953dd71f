import { useEffect, useState } from 'react'

const STEP_MS = 500

/** How long ago a moment was, in ms, anew every half second; null while there is none. */
export function useAge(at: number | undefined): number | null {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS)
    return () => clearInterval(timer)
  }, [])
  return at === undefined ? null : Math.max(0, now - at)
}
