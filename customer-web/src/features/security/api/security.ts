import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type Security = Wire['SecurityInfo']

/** How well the account is guarded, and until when withdrawals are held. */
export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: () => call(api.GET('/client/user/findSecurityInfo')),
  staleTime: 0,
})

export const useSecurity = () => useQuery(securityQuery)

/** Sends the code that a new payment password asks for. */
export function sendPaymentPasswordCode(): Promise<Wire['CodeSent']> {
  return call(api.POST('/client/user/sendPaymentPasswordValidCode'))
}

/** Sets the first payment password with the log-in password, or changes it with the old one. */
export function updatePaymentPassword(body: Wire['UpdatePayPassword']): Promise<Security> {
  return call(api.POST('/client/user/updatePayPassword', { body }))
}

/** Replaces a forgotten payment password. */
export function resetPaymentPassword(body: Wire['ResetPayPassword']): Promise<Security> {
  return call(api.POST('/client/user/resetPayPassword', { body }))
}
