import { useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export const chains = ['tape', 'fills', 'charges', 'terms'] as const
export type Chain = (typeof chains)[number]
export type HeadPage = Wire['HeadPage']

/** A head on the home page is a sample, so it refreshes slowly. */
const SAMPLE_REFETCH_MS = 30_000

/** One page of a chain's heads, newest first; `next` starts it below a batch. */
export function fetchHeads(chain: Chain, size: number, next?: number): Promise<HeadPage> {
  const query = { chain, size, ...(next === undefined ? {} : { next }) }
  return call(api.GET('/client/proof/findHeadPage', { params: { query } }))
}

/** The newest published head of a chain; null if nothing is sealed yet. */
export function useNewestHead(chain: Chain) {
  return useQuery({
    queryKey: ['proof', 'newest', chain],
    queryFn: async () => (await fetchHeads(chain, 1)).list[0] ?? null,
    refetchInterval: SAMPLE_REFETCH_MS,
  })
}
