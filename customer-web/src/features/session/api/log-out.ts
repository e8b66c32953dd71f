import { api, call } from '@/api/client'
import { requestHeaders } from '@/api/request-headers'
import { REQUEST_TIMEOUT_MS } from '@/constants'

/** Ends the session of this browser. */
export function logOut(): Promise<number> {
  return call(api.GET('/client/user/logout'))
}

/** Ends a session that is not, or no longer, the app's own. Nobody waits: it ends by itself later. */
export function endOtherSession(token: string): void {
  fetch('/client/user/logout', {
    headers: { ...requestHeaders(), apptoken: token },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    cache: 'no-store',
  }).catch(() => {})
}
