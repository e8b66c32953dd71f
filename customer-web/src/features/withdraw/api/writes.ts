import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { applyWithdrawal, type WithdrawalWay } from './withdrawals'

/** The payee, the amount and the trader's proof. */
export type WithdrawalRequest = {
  kind: WithdrawalWay['kind']
  payeeId: number
  amount: string
  payPassword: string
  validCode: string
}

/** Requests a withdrawal to a saved payee. The same amount to the same payee is the same write, whatever its proof. */
export function useInsertWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: ({ kind, payeeId, ...rest }: WithdrawalRequest, write) => {
      const bank = { body: { walletId: payeeId, ...rest }, ...idempotent(write) }
      switch (kind) {
        case 'bank':
          return call(api.POST('/client/withdraw/insertBankWithdraw', bank))
        case 'daifu':
          return call(api.POST('/client/withdraw/insertDaifuWithdraw', bank))
        case 'standard':
          return call(
            api.POST('/client/withdraw/insertStandardWithdraw', {
              body: { addressId: payeeId, ...rest },
              ...idempotent(write),
            }),
          )
      }
    },
    sameBy: ({ kind, payeeId, amount }) => ({ kind, payeeId, amount }),
    onAnswer: (withdrawal) => applyWithdrawal(client, withdrawal),
    onChecking,
  })
}

/** Cancels a withdrawal. */
export function useCancelWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['WithdrawId'], write) =>
      call(api.POST('/client/withdraw/cancelWithdraw', { body, ...idempotent(write) })),
    onAnswer: (withdrawal) => applyWithdrawal(client, withdrawal),
    onChecking,
  })
}

/** Answers a question of staff. */
export function useReplyWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['WithdrawReply'], write) =>
      call(api.POST('/client/withdraw/replyWithdraw', { body, ...idempotent(write) })),
    onAnswer: (withdrawal) => applyWithdrawal(client, withdrawal),
    onChecking,
  })
}
