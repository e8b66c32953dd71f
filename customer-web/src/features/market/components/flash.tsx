import { type ReactNode, useEffect, useRef } from 'react'
import { usePreferences } from '@/theme/preferences'
import styles from './flash.module.css'

export type FlashProps = {
  /** The price; undefined while it is not live, so that the first quote does not flash. */
  price: string | undefined
  children: ReactNode
}

const FADE_MS = 250
const AT_MOST_EVERY_MS = 1_000

/** Flashes the background in the colour of the direction when a price changes, at most once a second. */
export function Flash({ price, children }: FlashProps) {
  const box = useRef<HTMLSpanElement>(null)
  const before = useRef<string | undefined>(undefined)
  const flashedAt = useRef(Number.NEGATIVE_INFINITY)

  useEffect(() => {
    const distance = before.current === undefined ? 0 : Number(price) - Number(before.current)
    before.current = price
    const now = performance.now()
    if (!distance || now - flashedAt.current < AT_MOST_EVERY_MS || wantsLessMotion()) return
    flashedAt.current = now
    if (box.current) fade(box.current, distance > 0 ? 'up' : 'down')
  }, [price])

  return (
    <span ref={box} className={styles.flash}>
      {children}
    </span>
  )
}

/**
 * Fades the background of an element. Only opacity is animated, so there is no layout, and the background exists
 * only during the animation, because the browser keeps a layer for every transparent element.
 */
function fade(element: HTMLElement, way: 'up' | 'down'): void {
  element.dataset.way = way
  const fading = element.animate?.(
    { opacity: [1, 0] },
    { duration: FADE_MS, easing: 'ease-out', fill: 'forwards', pseudoElement: '::before' },
  )
  if (!fading) return
  fading.onfinish = () => {
    delete element.dataset.way
    fading.cancel()
  }
}

/** Read when a price flashes instead of subscribed to, because there are many cells. */
function wantsLessMotion(): boolean {
  return (
    usePreferences.getState().reduceMotion ||
    (window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false)
  )
}
