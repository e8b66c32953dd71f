import { api, call, type Wire } from '@/api/client'

/** A challenge to solve before the server serves a visitor. */
export type Challenge = Wire['Verify']

export function fetchChallenge(): Promise<Challenge> {
  return call(api.GET('/client/common/getVerify'))
}

/** The request parameters that carry a solution; empty without one. */
export function solutionParams(solution?: string): { params: { header?: { verify: string } } } {
  return { params: solution === undefined ? {} : { header: { verify: solution } } }
}
