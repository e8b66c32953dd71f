import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { refreshAddressBook } from './payees'

/** What a code is asked for: one act, and where money goes by it. */
export type MoneyOut = Wire['SendMoneyOutValidCode']

/** Sends the code that money going out, or somewhere new, asks for. It is good for that act alone. */
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

/** Deletes a saved address; for a day it can be restored. */
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

/** Says whether the saved addresses are all there may be. */
export function useUpdateWhitelistOnly(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['UpdateWhitelistOnly'], key) =>
      call(api.POST('/client/userAddress/updateWhitelistOnly', { body, ...idempotent(key) })),
    onAnswer: () => void refreshAddressBook(client),
    onChecking,
  })
}
