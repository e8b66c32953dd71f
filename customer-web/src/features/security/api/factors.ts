import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type Factors = Wire['FactorInfo']
export type SecurityAct = Wire['SecurityAct']
export type SecurityProof = Wire['SecurityProof']
export type ConfirmedAct = Wire['ConfirmedAct']

/** The account's second factors. */
export const factorsQuery = queryOptions({
  queryKey: ['security', 'factors'],
  queryFn: () => call(api.GET('/client/userFactor/findFactorInfo')),
  staleTime: 0,
})

export const useFactors = () => useQuery(factorsQuery)

/** Sends the code for a change of what guards the account. */
export function sendSecurityCode(act: SecurityAct): Promise<Wire['CodeSent']> {
  return call(api.POST('/client/user/sendSecurityValidCode', { body: { act } }))
}

/** The challenge by which a passkey confirms an act. */
export function createPasskeyConfirmation(body: ConfirmedAct): Promise<Wire['PasskeyOptions']> {
  return call(api.POST('/client/userFactor/createPasskeyConfirmation', { body }))
}

/** Confirms an act with a code of the authenticator or with a passkey's answer. */
export function createConfirmation(
  body: Wire['CreateConfirmation'],
): Promise<Wire['Confirmation']> {
  return call(api.POST('/client/userFactor/createConfirmation', { body }))
}

/** Offers a secret for an authenticator app. */
export function createAuthenticator(body: SecurityProof): Promise<Wire['AuthenticatorOffer']> {
  return call(api.POST('/client/userFactor/createAuthenticator', { body }))
}

/** Puts the offered secret to use; returns the recovery codes that come with a first factor. */
export async function insertAuthenticator(code: string): Promise<string[]> {
  return (await call(api.POST('/client/userFactor/insertAuthenticator', { body: { code } }))).codes
}

export function deleteAuthenticator(body: SecurityProof): Promise<Factors> {
  return call(api.POST('/client/userFactor/deleteAuthenticator', { body }))
}

/** Starts a passkey. */
export function createPasskey(body: SecurityProof): Promise<Wire['PasskeyOptions']> {
  return call(api.POST('/client/userFactor/createPasskey', { body }))
}

/** Stores the passkey that the browser made; returns the recovery codes that come with a first factor. */
export async function insertPasskey(
  name: string,
  credential: Wire['PasskeyCredential'],
): Promise<string[]> {
  const body = { name, credential }
  return (await call(api.POST('/client/userFactor/insertPasskey', { body }))).codes
}

export function updatePasskey(passkeyId: number, name: string): Promise<Factors> {
  return call(api.POST('/client/userFactor/updatePasskey', { body: { passkeyId, name } }))
}

export function deletePasskey(passkeyId: number, proof: SecurityProof): Promise<Factors> {
  return call(api.POST('/client/userFactor/deletePasskey', { body: { passkeyId, ...proof } }))
}

/** Makes new recovery codes; the earlier ones no longer count. */
export async function createRecoveryCodes(body: SecurityProof): Promise<string[]> {
  return (await call(api.POST('/client/userFactor/createRecoveryCodes', { body }))).codes
}
