import { api, call, type Wire } from '@/api/client'
import { solutionParams } from './challenge'

/** Sends the code that replaces a forgotten password. The answer is the same where there is no such account. */
export function sendForgottenCode(account: string, solution: string): Promise<Wire['CodeSent']> {
  return call(
    api.POST('/client/user/sendForgetPasswordValidCode', {
      body: { account },
      ...solutionParams(solution),
    }),
  )
}

/** Replaces a forgotten password with the code that was sent, which ends every session. */
export function replaceForgottenPassword(body: Wire['ForgetUserPassword']): Promise<number> {
  return call(api.POST('/client/api/forgetUserPassword', { body }))
}
