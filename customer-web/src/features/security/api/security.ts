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

/** Sends the code that freezing the own account asks for. */
export function sendFreezeCode(): Promise<Wire['CodeSent']> {
  return call(api.POST('/client/user/sendFreezeValidCode'))
}

/** Freezes money out and logging in; every session ends, this one too. */
export function freezeAccount(validCode: string): Promise<number> {
  return call(api.POST('/client/user/freezeAccount', { body: { validCode } }))
}
