import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { fetchFillsOf } from '@/features/trading/api/history'
import { isSealed, type Proof, type ProvedQuote } from '../model/evidence'
import { canHash, leafHash } from '../model/tape'
import { verifyProof } from '../model/verify'

/** How often a receipt is asked for again until its quotes are sealed. */
const UNSEALED_REFETCH_MS = 1_500

/** The proof of a fill; asked for again until the tape has sealed it, and never after. */
function proofQuery(fillId: number) {
  return queryOptions({
    queryKey: ['receipt', fillId],
    queryFn: async (): Promise<Proof> => {
      const receipt = await call(
        api.GET('/client/trade/findReceipt', { params: { query: { fillId } } }),
      )
      const { fill } = receipt
      const fills = fill.entry === 'close' ? await fetchFillsOf(fill.positionId) : [fill]
      return { receipt, fills }
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data && !isSealed(state.data.receipt) ? UNSEALED_REFETCH_MS : false,
  })
}

export function useProof(fillId: number) {
  return useQuery(proofQuery(fillId))
}

/** The check of a proof on this device, run when it is first shown and whenever it is asked for. */
export function useVerdict(proof: Proof | undefined) {
  const fillId = proof?.receipt.fill.fillId
  const sealed = proof !== undefined && isSealed(proof.receipt)
  return useQuery({
    queryKey: ['receipt', fillId, 'verdict'],
    queryFn: () => (proof ? verifyProof(proof) : []),
    enabled: sealed,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** A quote's leaf, made on this device from its fields; null when that is not possible. */
export function leafQuery(quote: ProvedQuote) {
  return queryOptions({
    queryKey: ['receipt', 'leaf', quote],
    queryFn: () => leafHash(quote),
    enabled: canHash(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
