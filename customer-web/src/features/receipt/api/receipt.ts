import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import {
  type AnyReceipt,
  type Charge,
  type Fill,
  isSealed,
  type ProvedQuote,
} from '../model/evidence'
import { canHash, leafOf } from '../model/tape'
import { verifyReceipt } from '../model/verify'

/** How often a receipt is asked for again until its quotes are sealed. */
const UNSEALED_REFETCH_MS = 1_500

/** A proof is asked for again until all of it is sealed, and never after. */
function proofQuery<Proof extends AnyReceipt>(key: string, id: number, ask: () => Promise<Proof>) {
  return queryOptions({
    queryKey: [key, id],
    queryFn: ask,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data && !isSealed(state.data as AnyReceipt) ? UNSEALED_REFETCH_MS : false,
  })
}

/** The proof of a fill. */
export function useReceipt(fillId: number) {
  return useQuery(
    proofQuery('receipt', fillId, () =>
      call(api.GET('/client/trade/findReceipt', { params: { query: { fillId } } })),
    ),
  )
}

/** The proof of a swap or dividend. */
export function useChargeReceipt(chargeId: number) {
  return useQuery(
    proofQuery('charge-receipt', chargeId, () =>
      call(api.GET('/client/trade/findChargeReceipt', { params: { query: { chargeId } } })),
    ),
  )
}

/** The check of a proof on this device, run when it is first shown and whenever it is asked for. */
export function useVerdict(receipt: AnyReceipt | undefined) {
  const sealed = receipt !== undefined && isSealed(receipt)
  return useQuery({
    queryKey: ['receipt', 'verdict', receipt],
    queryFn: () => (receipt ? verifyReceipt(receipt) : []),
    enabled: sealed,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** The leaf of a deal, a charge or a quote, made on this device from its fields; null when that is not possible. */
export function leafQuery(of: Charge | Fill | ProvedQuote) {
  return queryOptions({
    queryKey: ['receipt', 'leaf', of],
    queryFn: () => leafOf(of),
    enabled: canHash(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
