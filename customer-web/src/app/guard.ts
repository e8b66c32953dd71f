import type { Path } from 'react-router'
import { isLoggedIn } from '@/features/session/model/session-store'
import { HOME_PATH, loginPathFrom, routeAt } from './routes'

/**
 * Decides before a screen opens: an unknown path goes home, a guest is sent to log in and back.
 * Null lets the screen open.
 */
export function guard({ pathname, search }: Pick<Path, 'pathname' | 'search'>): string | null {
  const route = routeAt(pathname)
  if (!route) return HOME_PATH
  if (!route.guest && !isLoggedIn()) return loginPathFrom(pathname + search)
  return null
}
