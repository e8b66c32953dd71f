import { redirect } from 'react-router'
import { isLoggedIn } from '@/features/session/model/session-store'
import { HOME_PATH, loginPathFrom, routeAt } from './routes'

/**
 * Decides before a screen opens: an unknown path goes home, a guest is sent to log in and back.
 * Null lets the screen open.
 */
export function guard(request: Request): Response | null {
  const { pathname, search } = new URL(request.url)
  const route = routeAt(pathname)
  if (!route) return redirect(HOME_PATH)
  if (!route.guest && !isLoggedIn()) return redirect(loginPathFrom(pathname + search))
  return null
}
