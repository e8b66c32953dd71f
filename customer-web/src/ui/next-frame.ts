import { ANIMATION_FALLBACK_MS } from '@/constants'

/** Runs before the next frame, which a hidden tab does not have; returns the cancel function. */
export function nextFrame(run: () => void): () => void {
  if (typeof requestAnimationFrame === 'function') {
    const frame = requestAnimationFrame(run)
    return () => cancelAnimationFrame(frame)
  }
  const timer = setTimeout(run, ANIMATION_FALLBACK_MS)
  return () => clearTimeout(timer)
}
