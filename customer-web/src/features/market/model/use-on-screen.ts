import { useCallback, useState } from 'react'
import { VISIBILITY_THRESHOLD } from '@/constants'

type Hear = (visible: boolean) => void

const hearers = new WeakMap<Element, Hear>()
let shared: IntersectionObserver | null = null

/** One observer for all rows: a list may have hundreds. */
function observer(): IntersectionObserver {
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) hearers.get(target)?.(isIntersecting)
    },
    { threshold: VISIBILITY_THRESHOLD },
  )
  return shared
}

const canObserve = () => typeof IntersectionObserver !== 'undefined'

/** Whether at least one percent of an element is on screen, and the ref to put on it. */
export function useOnScreen(): [ref: (element: Element | null) => void, visible: boolean] {
  const [visible, setVisible] = useState(() => !canObserve())
  const ref = useCallback((element: Element | null) => {
    if (!element || !canObserve()) return
    hearers.set(element, setVisible)
    observer().observe(element)
    return () => {
      hearers.delete(element)
      observer().unobserve(element)
    }
  }, [])
  return [ref, visible]
}
