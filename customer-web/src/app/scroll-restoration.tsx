import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'

/** Scroll position by history entry. */
const left = new Map<string, number>()

/**
 * Scrolls a new screen to the top and restores the position on the way back. Changing a tab, filter or list page
 * replaces the address and keeps the position, because it shows the same thing.
 */
export default function ScrollRestoration() {
  const location = useLocation()
  const action = useNavigationType()
  const before = useRef(location)

  // After a reload, or on return from another site, the browser restores the position itself.
  useEffect(() => {
    const hand = () => {
      history.scrollRestoration = 'auto'
    }
    history.scrollRestoration = 'manual'
    addEventListener('pagehide', hand)
    return () => {
      removeEventListener('pagehide', hand)
      hand()
    }
  }, [])

  useLayoutEffect(() => {
    const { key } = location
    const keep = () => left.set(key, window.scrollY)
    if (before.current !== location) {
      if (action === 'POP') window.scrollTo(0, left.get(key) ?? 0)
      else if (action === 'PUSH' || thingOf(before.current) !== thingOf(location)) {
        window.scrollTo(0, 0)
      }
      before.current = location
    }
    keep()
    addEventListener('scroll', keep, { passive: true })
    return () => removeEventListener('scroll', keep)
  }, [location, action])

  return null
}

/** Identifies what an address shows: the screen, and the item or step on it. */
function thingOf({ pathname, search }: Location): string {
  const query = new URLSearchParams(search)
  return [pathname, query.get('id'), query.get('step')].join(' ')
}
