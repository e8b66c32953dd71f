import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { useSession } from '@/session/session-store'

export type BankAccount = Wire['UserWallet']

const KEY = 'bank-accounts'

/** The saved bank accounts, newest first, followed by those that can be restored. */
export function useBankAccounts() {
  const owner = useSession(({ user }) => user?.userId ?? '')
  return useQuery({
    queryKey: [KEY, owner],
    queryFn: () => call(api.GET('/client/userWallet/findUserWalletList')),
    staleTime: 0,
  })
}

/** Refetches the bank accounts. */
export function refreshBankAccounts(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}

/** Saves a bank account. */
export function useBindBankAccount(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['BindUserWallet'], write) =>
      call(api.POST('/client/userWallet/bindUserWallet', { body, ...idempotent(write) })),
    sameBy: ({ payPassword: _, validCode: __, ...account }) => account,
    onAnswer: () => void refreshBankAccounts(client),
    onChecking,
  })
}

/** Restores a deleted bank account. */
export function useRestoreBankAccount() {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RestoreUserWallet'], write) =>
      call(api.POST('/client/userWallet/restoreUserWallet', { body, ...idempotent(write) })),
    onAnswer: () => void refreshBankAccounts(client),
  })
}

/**
 * Deletes a saved bank account; it can be restored for a day. Deleting twice has no further effect, so it needs no
 * idempotency key; the proof is sent in headers.
 */
export function useDeleteBankAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (proof: { walletId: number; payPassword: string; validCode: string }) =>
      call(
        api.GET('/client/userWallet/deleteUserWallet', {
          params: {
            query: { walletId: proof.walletId },
            header: { 'Pay-Password': proof.payPassword, 'Valid-Code': proof.validCode },
          },
        }),
      ),
    onSettled: () => void refreshBankAccounts(client),
  })
}
