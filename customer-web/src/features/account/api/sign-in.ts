import { api, call, type Wire } from '@/api/client'
import { guestId } from '@/storage/guest-id'
import { solutionParams } from './challenge'

export type Credentials = {
  /** An e-mail address, or a phone number in international format. */
  account: string
  password: string
}

/** The second step of a log-in: the code that was sent, or a code of the authenticator or a recovery code. */
export type LoginStep = { validCode?: string; factorCode?: string }

/** Logs in; a device that is new to the account, or a second factor, needs another step. */
export function login(credentials: Credentials, step: LoginStep = {}): Promise<Wire['Session']> {
  return call(
    api.POST('/client/user/login', { body: { ...credentials, deviceId: guestId(), ...step } }),
  )
}

/**
 * Sends the code for a new device if the password is correct; if passwords are no longer accepted, after a solved
 * challenge.
 */
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
