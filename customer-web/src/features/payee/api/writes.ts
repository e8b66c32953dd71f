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
    send: (body: Wire['InsertUserAddress'], write) =>
      call(api.POST('/client/userAddress/insertUserAddress', { body, ...idempotent(write) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}

/** Deletes a saved address; it can be restored for a day. */
export function useDeleteAddress(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['DeleteUserAddress'], write) =>
      call(api.POST('/client/userAddress/deleteUserAddress', { body, ...idempotent(write) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}

/** Restores a deleted address. */
export function useRestoreAddress(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RestoreUserAddress'], write) =>
      call(api.POST('/client/userAddress/restoreUserAddress', { body, ...idempotent(write) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}

/** Switches the whitelist on or off. */
export function useUpdateWhitelistOnly(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['UpdateWhitelistOnly'], write) =>
      call(api.POST('/client/userAddress/updateWhitelistOnly', { body, ...idempotent(write) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}
