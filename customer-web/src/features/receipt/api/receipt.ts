import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { type Fill, isSealed, type ProvedQuote, type Receipt } from '../model/evidence'
import { canHash, fillLeaf, leafHash } from '../model/tape'
import { verifyReceipt } from '../model/verify'

/** How often a receipt is asked for again until its quotes are sealed. */
const UNSEALED_REFETCH_MS = 1_500

/** The proof of a fill; asked for again until all of it is sealed, and never after. */
function receiptQuery(fillId: number) {
  return queryOptions({
    queryKey: ['receipt', fillId],
    queryFn: () => call(api.GET('/client/trade/findReceipt', { params: { query: { fillId } } })),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data && !isSealed(state.data) ? UNSEALED_REFETCH_MS : false,
  })
}

export function useReceipt(fillId: number) {
  return useQuery(receiptQuery(fillId))
}

/** The check of a proof on this device, run when it is first shown and whenever it is asked for. */
export function useVerdict(receipt: Receipt | undefined) {
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

/** The leaf of a deal or a quote, made on this device from its fields; null when that is not possible. */
export function leafQuery(of: Fill | ProvedQuote) {
  return queryOptions({
    queryKey: ['receipt', 'leaf', of],
    queryFn: () => ('fillId' in of ? fillLeaf(of) : leafHash(of)),
    enabled: canHash(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
