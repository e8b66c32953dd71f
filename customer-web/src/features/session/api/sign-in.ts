import { api, call, type Wire } from '@/api/client'
import { guestId } from '@/storage/guest-id'
import { solutionParams } from './challenge'

export type Credentials = {
  /** An e-mail address, or a telephone number in international form. */
  account: string
  password: string
}

/** Logs in; from a device that is new to the account only with the code that was sent. */
export function login(credentials: Credentials, validCode?: string): Promise<Wire['Session']> {
  return call(
    api.POST('/client/user/login', {
      body: { ...credentials, deviceId: guestId(), ...(validCode ? { validCode } : {}) },
    }),
  )
}

/** Sends the code for a new device to whoever knows the password; where passwords no longer count, to whoever has solved a challenge. */
export function sendLoginCode(
  { account, password }: Credentials,
  solution?: string,
): Promise<Wire['CodeSent']> {
  return call(
    api.POST('/client/user/sendLoginValidCode', {
      body: { account, password },
      ...solutionParams(solution),
    }),
  )
}
