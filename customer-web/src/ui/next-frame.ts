import { ANIMATION_FALLBACK_MS } from '@/constants'

/** Runs before the next frame is drawn, which a hidden tab has none of; returns the way to stop it. */
export function nextFrame(run: () => void): () => void {
  if (typeof requestAnimationFrame === 'function') {
    const frame = requestAnimationFrame(run)
    return () => cancelAnimationFrame(frame)
  }
  const timer = setTimeout(run, ANIMATION_FALLBACK_MS)
  return () => clearTimeout(timer)
}
