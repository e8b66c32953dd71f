import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useKeyedWrite } from '@/api/keyed-write'
import { takeDeposit } from './deposits'

/** Announces a bank transfer. */
export function useInsertBankRecharge(onChecking?: () => void) {
  const client = useQueryClient()
  return useKeyedWrite({
    send: (body: Wire['BankRecharge'], key) =>
      call(api.POST('/client/recharge/insertBankRecharge', { body, ...idempotent(key) })),
    onAnswer: (deposit) => takeDeposit(client, deposit),
    onChecking,
  })
}

/** Hands in the proof of a transfer: the name of a picture that was uploaded. */
export function useUpdateRechargeProof(onChecking?: () => void) {
  const client = useQueryClient()
  return useKeyedWrite({
    send: (body: Wire['RechargeProof'], key) =>
      call(api.POST('/client/recharge/updateRechargeProof', { body, ...idempotent(key) })),
    onAnswer: (deposit) => takeDeposit(client, deposit),
    onChecking,
  })
}

/** Withdraws a deposit whose proof was not handed in. */
export function useCancelRecharge(onChecking?: () => void) {
  const client = useQueryClient()
  return useKeyedWrite({
    send: (body: Wire['RechargeId'], key) =>
      call(api.POST('/client/recharge/cancelRecharge', { body, ...idempotent(key) })),
    onAnswer: (deposit) => takeDeposit(client, deposit),
    onChecking,
  })
}
