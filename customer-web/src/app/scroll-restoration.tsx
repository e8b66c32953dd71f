import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'

/** How far down each entry of the history was left. */
const left = new Map<string, number>()

/**
 * A screen begins at its top, and the way back leads to where the other one was left. Another tab, filter
 * or page of a list replaces the address and stays where it is: it is another look at the same thing.
 */
export default function ScrollRestoration() {
  const location = useLocation()
  const action = useNavigationType()
  const before = useRef(location)

  // Back from another site, and after a reload, the browser finds the place by itself.
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

/** What an address shows: the screen, and the one thing or step of it. */
function thingOf({ pathname, search }: Location): string {
  const query = new URLSearchParams(search)
  return [pathname, query.get('id'), query.get('step')].join(' ')
}
