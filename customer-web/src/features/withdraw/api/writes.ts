import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useKeyedWrite } from '@/api/keyed-write'
import { takeWithdrawal } from './withdrawals'

/** Asks for money to go to a saved bank account. The same money to the same account is the same wish, whatever proves it. */
export function useInsertBankWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useKeyedWrite({
    send: (body: Wire['BankWithdraw'], key) =>
      call(api.POST('/client/withdraw/insertBankWithdraw', { body, ...idempotent(key) })),
    sameBy: ({ walletId, amount }) => ({ walletId, amount }),
    onAnswer: (withdrawal) => takeWithdrawal(client, withdrawal),
    onChecking,
  })
}

/** Takes a withdrawal back. */
export function useCancelWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useKeyedWrite({
    send: (body: Wire['WithdrawId'], key) =>
      call(api.POST('/client/withdraw/cancelWithdraw', { body, ...idempotent(key) })),
    onAnswer: (withdrawal) => takeWithdrawal(client, withdrawal),
    onChecking,
  })
}

/** Answers what the desk asked. */
export function useReplyWithdraw(onChecking?: () => void) {
  const client = useQueryClient()
  return useKeyedWrite({
    send: (body: Wire['WithdrawReply'], key) =>
      call(api.POST('/client/withdraw/replyWithdraw', { body, ...idempotent(key) })),
    onAnswer: (withdrawal) => takeWithdrawal(client, withdrawal),
    onChecking,
  })
}
