import { useEffect, useState } from 'react'

/** How long loading may take before a placeholder is shown. */
export const SKELETON_DELAY_MS = 150

/** Becomes true when `active` has been true for a while; short waits show nothing. */
export function useDelayed(active: boolean, delay: number = SKELETON_DELAY_MS): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setPassed(true), delay)
    return () => {
      clearTimeout(timer)
      setPassed(false)
    }
  }, [active, delay])
  return active && passed
}
