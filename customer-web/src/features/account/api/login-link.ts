import { api, call, type Wire } from '@/api/client'
import { guestId } from '@/storage/guest-id'

/** Creates the one-time code that opens this account on another device. */
export function createLoginCode(): Promise<Wire['LoginCode']> {
  return call(api.POST('/client/user/createLoginCode'))
}

/** Exchanges a one-time code for a session; it works once. */
export function loginByCode(code: string): Promise<Wire['Session']> {
  return call(api.POST('/client/user/loginByCode', { body: { code, deviceId: guestId() } }))
}
