import { useCallback, useState } from 'react'
import { VISIBILITY_THRESHOLD } from '@/constants'

type Listener = (visible: boolean) => void

const listeners = new WeakMap<Element, Listener>()
let shared: IntersectionObserver | null = null

/** One observer for all rows, because a list may have hundreds. */
function observer(): IntersectionObserver {
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { threshold: VISIBILITY_THRESHOLD },
  )
  return shared
}

const canObserve = () => typeof IntersectionObserver !== 'undefined'

/** Reports whether at least one percent of an element is visible, and returns the ref for it. */
export function useOnScreen(): [ref: (element: Element | null) => void, visible: boolean] {
  const [visible, setVisible] = useState(() => !canObserve())
  const ref = useCallback((element: Element | null) => {
    if (!element || !canObserve()) return
    listeners.set(element, setVisible)
    observer().observe(element)
    return () => {
      listeners.delete(element)
      observer().unobserve(element)
    }
  }, [])
  return [ref, visible]
}
