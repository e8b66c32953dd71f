import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { refreshAddressBook } from './payees'

/** The action a code is requested for, with the payee it affects. */
export type MoneyOut = Wire['SendMoneyOutValidCode']

/** Sends the code for a payment or a new payee. The code is valid for that action only. */
export function sendMoneyOutCode(body: MoneyOut): Promise<Wire['CodeSent']> {
  return call(api.POST('/client/user/sendMoneyOutValidCode', { body }))
}

/** Saves an address. */
export function useInsertAddress(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['InsertUserAddress'], key) =>
      call(api.POST('/client/userAddress/insertUserAddress', { body, ...idempotent(key) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}

/** Deletes a saved address; it can be restored for a day. */
export function useDeleteAddress(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['DeleteUserAddress'], key) =>
      call(api.POST('/client/userAddress/deleteUserAddress', { body, ...idempotent(key) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}

/** Restores a deleted address. */
export function useRestoreAddress(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RestoreUserAddress'], key) =>
      call(api.POST('/client/userAddress/restoreUserAddress', { body, ...idempotent(key) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}

/** Switches the whitelist on or off. */
export function useUpdateWhitelistOnly(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['UpdateWhitelistOnly'], key) =>
      call(api.POST('/client/userAddress/updateWhitelistOnly', { body, ...idempotent(key) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}
