import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { applyDeposit, refreshDeposits } from './deposits'

/** Announces a bank transfer. */
export function useInsertBankRecharge(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['BankRecharge'], write) =>
      call(api.POST('/client/recharge/insertBankRecharge', { body, ...idempotent(write) })),
    onAnswer: (deposit) => applyDeposit(client, deposit),
    onChecking,
  })
}

/** Requests a provider deposit: through the provider's page, or from a merchant over the counter. */
export function useInsertProviderRecharge(kind: 'third_party' | 'otc', onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['ProviderRecharge'], write) =>
      call(
        kind === 'otc'
          ? api.POST('/client/recharge/insertOtcRecharge', { body, ...idempotent(write) })
          : api.POST('/client/recharge/insertThirdPartyRecharge', { body, ...idempotent(write) }),
      ),
    // The answer contains the deposit before the provider was asked, so the result is refetched.
    onAnswer: () => void refreshDeposits(client),
    onChecking,
  })
}

/** Accepts a merchant's offer; the answer says whom to pay. */
export function useUpdateRechargeAgreed(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RechargeId'], write) =>
      call(api.POST('/client/recharge/updateRechargeAgreed', { body, ...idempotent(write) })),
    onAnswer: (deposit) => applyDeposit(client, deposit),
    onChecking,
  })
}

/** Reports that a provider deposit was paid. */
export function useUpdateRechargePaid(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RechargePaid'], write) =>
      call(api.POST('/client/recharge/updateRechargePaid', { body, ...idempotent(write) })),
    onAnswer: (deposit) => applyDeposit(client, deposit),
    onChecking,
  })
}

/** Submits an appeal about a payment that was made. */
export function useInsertRechargeAppeal(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RechargeAppeal'], write) =>
      call(api.POST('/client/recharge/insertRechargeAppeal', { body, ...idempotent(write) })),
    onAnswer: (deposit) => applyDeposit(client, deposit),
    onChecking,
  })
}

/** Submits the proof of a transfer: the name of an uploaded picture. */
export function useUpdateRechargeProof(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RechargeProof'], write) =>
      call(api.POST('/client/recharge/updateRechargeProof', { body, ...idempotent(write) })),
    onAnswer: (deposit) => applyDeposit(client, deposit),
    onChecking,
  })
}

/** Cancels a deposit without a submitted proof. */
export function useCancelRecharge(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['RechargeId'], write) =>
      call(api.POST('/client/recharge/cancelRecharge', { body, ...idempotent(write) })),
    onAnswer: (deposit) => applyDeposit(client, deposit),
    onChecking,
  })
}
