import { api, call } from '@/api/client'

/** Exchanges the session's token for a fresh one; the server does it once a day. */
export function renewToken(): Promise<string> {
  return call(api.POST('/client/api/rftk'))
}
