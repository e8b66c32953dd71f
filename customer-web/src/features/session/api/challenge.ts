import { api, call, type Wire } from '@/api/client'

/** A challenge to solve before the server does something for somebody who isn't logged in. */
export type Challenge = Wire['Verify']

export function fetchChallenge(): Promise<Challenge> {
  return call(api.GET('/client/common/getVerify'))
}

/** The parameters that send a solution with a call; without one they send nothing. */
export function solutionParams(solution?: string): { params: { header?: { verify: string } } } {
  return { params: solution === undefined ? {} : { header: { verify: solution } } }
}
