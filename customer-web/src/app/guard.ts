import type { Path } from 'react-router'
import { loginPathFrom } from '@/session/login-path'
import { isLoggedIn } from '@/session/session-store'
import { HOME_PATH, routeAt } from './routes'

/**
 * Returns the redirect for a location, or null if its screen may open. Unknown paths redirect home; visitors are
 * sent to the log-in and back.
 */
export function guard({ pathname, search }: Pick<Path, 'pathname' | 'search'>): string | null {
  const route = routeAt(pathname)
  if (!route) return HOME_PATH
  if (!route.guest && !isLoggedIn()) return loginPathFrom(pathname + search)
  return null
}
