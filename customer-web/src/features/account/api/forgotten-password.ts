import { api, call, type Wire } from '@/api/client'
import { solutionParams } from './challenge'

/** Sends the code for a forgotten password. The answer is the same if the account doesn't exist. */
export function sendForgottenCode(account: string, solution: string): Promise<Wire['CodeSent']> {
  return call(
    api.POST('/client/user/sendForgetPasswordValidCode', {
      body: { account },
      ...solutionParams(solution),
    }),
  )
}

/** Replaces a forgotten password with the code; every session ends. */
export function replaceForgottenPassword(body: Wire['ForgetUserPassword']): Promise<number> {
  return call(api.POST('/client/api/forgetUserPassword', { body }))
}
