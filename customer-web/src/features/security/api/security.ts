import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type Security = Wire['SecurityInfo']

/** The account's security settings, and until when withdrawals are locked. */
export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: () => call(api.GET('/client/user/findSecurityInfo')),
  staleTime: 0,
})

export const useSecurity = () => useQuery(securityQuery)

/** Whether a wallet is the only way into the account: it has no contact and no log-in password. False until it is known. */
export function useContactless(): boolean {
  const { data } = useQuery({ ...securityQuery, staleTime: 60_000 })
  return data?.mail === '' && data.phone === ''
}

/** Sends the code for a new payment password. */
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

/** Sends the code for freezing the account. */
export function sendFreezeCode(): Promise<Wire['CodeSent']> {
  return call(api.POST('/client/user/sendFreezeValidCode'))
}

/** Freezes withdrawals and log-ins; every session ends, including this one. */
export function freezeAccount(validCode: string): Promise<number> {
  return call(api.POST('/client/user/freezeAccount', { body: { validCode } }))
}
