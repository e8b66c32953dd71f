import { type RefObject, useEffect, useRef, useState } from 'react'

export type ThreadEnd = {
  /** Changes when a message arrives. */
  newest: number
  /** Increases with the user's own messages, which always scroll into view. */
  own: number
  /** Increases with content below the last message. */
  more: number
}

/** Keeps the end of a thread in view while it is visible, and reports new messages below the view. */
export function useStickToEnd({ newest, own, more }: ThreadEnd): {
  end: RefObject<HTMLDivElement | null>
  behind: boolean
  toEnd: () => void
} {
  const end = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const before = useRef({ newest: 0, own: 0 })
  const [behind, setBehind] = useState(false)
  const toEnd = () => end.current?.scrollIntoView?.({ block: 'end' })

  useEffect(() => {
    const element = end.current
    if (!element || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(([entry]) => {
      atEnd.current = entry?.isIntersecting ?? true
      if (atEnd.current) setBehind(false)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: content below the last message moves the end too
  useEffect(() => {
    const wrote = own > before.current.own
    const arrived = newest > before.current.newest
    before.current = { newest, own }
    if (atEnd.current || wrote) end.current?.scrollIntoView?.({ block: 'end' })
    else if (arrived) setBehind(true)
  }, [newest, own, more])

  return { end, behind, toEnd }
}
