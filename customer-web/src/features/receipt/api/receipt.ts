import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import {
  type AnyReceipt,
  type Charge,
  type Fill,
  isSealed,
  type ProvedQuote,
} from '../model/evidence'
import { canHash, leafOf } from '../model/tape'
import { verifyReceipt } from '../model/verify'

/** Refetch interval of a receipt until its quotes are sealed. */
const UNSEALED_REFETCH_MS = 1_500

/** Refetches a receipt until all of it is sealed. */
function proofQuery<Proof extends AnyReceipt>(key: string, id: number, ask: () => Promise<Proof>) {
  return queryOptions({
    queryKey: [key, id],
    queryFn: ask,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data && !isSealed(state.data as AnyReceipt) ? UNSEALED_REFETCH_MS : false,
  })
}

/** The receipt of a fill. */
export function useReceipt(fillId: number) {
  return useQuery(
    proofQuery('receipt', fillId, () =>
      call(api.GET('/client/trade/findReceipt', { params: { query: { fillId } } })),
    ),
  )
}

/** How often quotes are fetched that follow that of a fresh fill. */
const FOLLOWING_REFETCH_MS = 2_000
const MOST_REFETCHES = 10
/** How many quotes follow at most, the server's quoteReach. */
const FOLLOWING = 20

const isComplete = (list: Wire['TapeQuote'][] | undefined, seq: number) =>
  (list?.at(-1)?.seq ?? 0) >= seq + FOLLOWING

/** The quotes around one of a product's tape; after a fresh fill, those that still come. */
export function useQuotesAround(productId: number, seq: number) {
  return useQuery({
    queryKey: ['quotes-around', productId, seq],
    queryFn: () =>
      call(api.GET('/client/proof/findQuoteList', { params: { query: { productId, seq } } })),
    staleTime: ({ state }) => (isComplete(state.data, seq) ? Number.POSITIVE_INFINITY : 0),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      !data?.length || isComplete(data, seq) || dataUpdateCount > MOST_REFETCHES
        ? false
        : FOLLOWING_REFETCH_MS,
  })
}

/** The receipt of a swap or dividend. */
export function useChargeReceipt(chargeId: number) {
  return useQuery(
    proofQuery('charge-receipt', chargeId, () =>
      call(api.GET('/client/trade/findChargeReceipt', { params: { query: { chargeId } } })),
    ),
  )
}

/** The result of checking a receipt on this device, when it is first shown and on request. */
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

/** The leaf hash of a fill, charge or quote, computed on this device from its fields; null if that is not possible. */
export function leafQuery(of: Charge | Fill | ProvedQuote) {
  return queryOptions({
    queryKey: ['receipt', 'leaf', of],
    queryFn: () => leafOf(of),
    enabled: canHash(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
