import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { applyWithdrawal, type WithdrawalWay } from './withdrawals'

/** Where money is to go, how much, and who wants it. */
export type WithdrawalRequest = {
  kind: WithdrawalWay['kind']
  payeeId: number
  amount: string
  payPassword: string
  validCode: string
}

/** Asks for money to go to a saved payee. The same money to the same payee is the same wish, whatever proves it. */
export function useInsertWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: ({ kind, payeeId, ...rest }: WithdrawalRequest, key) => {
      const bank = { body: { walletId: payeeId, ...rest }, ...idempotent(key) }
      switch (kind) {
        case 'bank':
          return call(api.POST('/client/withdraw/insertBankWithdraw', bank))
        case 'daifu':
          return call(api.POST('/client/withdraw/insertDaifuWithdraw', bank))
        case 'standard':
          return call(
            api.POST('/client/withdraw/insertStandardWithdraw', {
              body: { addressId: payeeId, ...rest },
              ...idempotent(key),
            }),
          )
      }
    },
    sameBy: ({ kind, payeeId, amount }) => ({ kind, payeeId, amount }),
    onAnswer: (withdrawal) => applyWithdrawal(client, withdrawal),
    onChecking,
  })
}

/** Takes a withdrawal back. */
export function useCancelWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['WithdrawId'], key) =>
      call(api.POST('/client/withdraw/cancelWithdraw', { body, ...idempotent(key) })),
    onAnswer: (withdrawal) => applyWithdrawal(client, withdrawal),
    onChecking,
  })
}

/** Answers what the desk asked. */
export function useReplyWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['WithdrawReply'], key) =>
      call(api.POST('/client/withdraw/replyWithdraw', { body, ...idempotent(key) })),
    onAnswer: (withdrawal) => applyWithdrawal(client, withdrawal),
    onChecking,
  })
}
