import { api, call, type Wire } from '@/api/client'
import { guestId } from '@/storage/guest-id'

/** The challenge of a log-in by passkey. */
export function createPasskeyLogin(): Promise<Wire['PasskeyOptions']> {
  return call(api.POST('/client/user/createPasskeyLogin'))
}

/** Logs in with a passkey's answer. */
export function loginByPasskey(credential: Wire['PasskeyCredential']): Promise<Wire['Session']> {
  const body = { credential, deviceId: guestId() }
  return call(api.POST('/client/user/loginByPasskey', { body }))
}
