import { api, CallFailure, call } from '@/api/client'
import { requestHeaders } from '@/api/request-headers'
import { whileLeaving } from '@/api/session-ended'
import { REQUEST_TIMEOUT_MS } from '@/constants'

/** Ends the session of this browser; one that has ended already is no failure. */
export async function logOut(): Promise<void> {
  try {
    await whileLeaving(call(api.GET('/client/user/logout')))
  } catch (error) {
    const ended =
      error instanceof CallFailure && (error.httpStatus === 401 || error.code === 'token_invalid')
    if (!ended) throw error
  }
}

/** Ends a session other than the app's. Failures are ignored, because sessions expire by themselves. */
export function endOtherSession(token: string): void {
  fetch('/client/user/logout', {
    headers: { ...requestHeaders(), apptoken: token },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    cache: 'no-store',
  }).catch(() => {})
}
