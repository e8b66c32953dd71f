import { api, call, type Wire } from '@/api/client'
import { guestId } from '@/storage/guest-id'
import { solutionParams } from './challenge'

export type Registration = Omit<Wire['Register'], 'deviceId'>

/** Registers with the code that was sent, and logs in. */
export function register(registration: Registration): Promise<Wire['Session']> {
  return call(api.POST('/client/user/register', { body: { ...registration, deviceId: guestId() } }))
}

/** Whether a contact has an account. */
export async function checkUserExist(account: string, solution: string): Promise<boolean> {
  const known = await call(
    api.POST('/client/user/checkUserExist', { body: { account }, ...solutionParams(solution) }),
  )
  return known.exists
}

/** Sends a code to a contact that wants to register. The answer is the same for a known contact. */
export function sendRegisterCode(account: string, solution: string): Promise<Wire['CodeSent']> {
  return call(
    api.POST('/client/user/sendRegisterValidCode', {
      body: { account },
      ...solutionParams(solution),
    }),
  )
}
