import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Wire } from '@/api/client'
import { type HeadProblem, problemIn } from '../model/check-heads'
import { type Chain, fetchHeads } from './head-page'

export type SealedHead = Wire['SealedHead']

/** Prices are sealed once a second; the list refreshes at this interval. */
const REFETCH_MS = 3_000
const SHOWN = 6
const CHECKED_AT_ONCE = 100

/** The newest heads, refreshed unless one of them is open. */
export function useNewestHeads(chain: Chain, live: boolean) {
  return useQuery({
    queryKey: ['proof', 'heads', chain],
    queryFn: () => fetchHeads(chain, SHOWN),
    refetchInterval: live && REFETCH_MS,
  })
}

/** The progress of recomputing a chain. */
export type HeadCheckProgress = {
  count: number
  /** The oldest head checked. */
  oldest: SealedHead
  /** The start of the next page; undefined at the chain's first head. */
  next: number | undefined
  problem: HeadProblem | null
  /** This browser could not check the signatures. */
  unsigned: boolean
}

/** Recomputes a chain page by page from the newest head back; each call continues after the previous one. */
export function useHeadCheck(chain: Chain) {
  const [walk, setWalk] = useState<HeadCheckProgress | null>(null)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<HeadCheckProgress | null> => {
      const { list, next, publicKey } = await fetchHeads(chain, CHECKED_AT_ONCE, walk?.next)
      const oldest = list.at(-1)
      if (!oldest) return walk
      const { problem, unsigned } = await problemIn(list, {
        publicKey,
        newer: walk?.oldest,
        first: next === undefined,
      })
      return {
        count: (walk?.count ?? 0) + list.length,
        oldest,
        next,
        problem,
        unsigned: unsigned || (walk?.unsigned ?? false),
      }
    },
    onSuccess: setWalk,
    retry: false,
  })
  return { walk, check: () => mutate(), checking: isPending, error }
}
