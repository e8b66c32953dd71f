import { api, call } from '@/api/client'
import { requestHeaders } from '@/api/request-headers'
import { REQUEST_TIMEOUT_MS } from '@/constants'

/** Ends the session of this browser. */
export function logOut(): Promise<number> {
  return call(api.GET('/client/user/logout'))
}

/** Ends a session other than the app's. Failures are ignored, because sessions expire by themselves. */
export function endOtherSession(token: string): void {
  fetch('/client/user/logout', {
    headers: { ...requestHeaders(), apptoken: token },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    cache: 'no-store',
  }).catch(() => {})
}
