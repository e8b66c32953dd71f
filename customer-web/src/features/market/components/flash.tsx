import { type ReactNode, useEffect, useRef } from 'react'
import { useReducedMotion } from '@/theme/use-media'
import styles from './flash.module.css'

export type FlashProps = {
  /** The price; undefined while it is not live, so that the first line does not flash. */
  price: string | undefined
  children: ReactNode
}

const FADE_MS = 250
const AT_MOST_EVERY_MS = 1_000

/** Lights up behind a price that has changed, at most once a second, in the colour of its direction. */
export function Flash({ price, children }: FlashProps) {
  const box = useRef<HTMLSpanElement>(null)
  const before = useRef<string | undefined>(undefined)
  const flashedAt = useRef(Number.NEGATIVE_INFINITY)
  const reduced = useReducedMotion()

  useEffect(() => {
    const distance = before.current === undefined ? 0 : Number(price) - Number(before.current)
    before.current = price
    const element = box.current
    if (!distance || !element?.animate || reduced) return
    const now = performance.now()
    if (now - flashedAt.current < AT_MOST_EVERY_MS) return
    flashedAt.current = now
    const color = distance > 0 ? 'var(--up-flash)' : 'var(--down-flash)'
    const from = { backgroundColor: color, boxShadow: `0 0 0 3px ${color}` }
    const to = { backgroundColor: 'transparent', boxShadow: '0 0 0 3px transparent' }
    element.animate([from, to], { duration: FADE_MS, easing: 'ease-out' })
  }, [price, reduced])

  return (
    <span ref={box} className={styles.flash}>
      {children}
    </span>
  )
}
