import {
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { reasonOf } from '@/api/reason'
import { type Session, useSession } from '@/features/session/model/session-store'
import { storage } from '@/storage/storage'
import { toast } from '@/ui/toast/toast-store'
import { fetchFavourites, saveFavourites } from '../api/favourites'
import { applyChange, type FavouriteChange, mergeFavourites } from './favourite-list'
import { readIds, writeIds } from './kept-ids'

const GUEST = 'guest'
const mutationKey = ['favourites']

/** Whose favourites: a trader's id, or the guest of this browser. */
function ownerOf({ token, user }: Session): string {
  return token === null ? GUEST : (user?.userId ?? '')
}

// The account's list is kept for the first view only; whoever comes next must not see it.
function forgetAccountList({ token }: Session): void {
  if (token === null) storage.remove('selfList')
}
forgetAccountList(useSession.getState())
useSession.subscribe(forgetAccountList)

/** The favourites as they are kept: a guest's in the browser, a trader's on the server. */
function favouritesQuery(owner: string) {
  const guest = owner === GUEST
  return queryOptions({
    queryKey: ['favourites', owner],
    queryFn: guest ? () => readIds('favourites') : fetchMerged,
    initialData: () => (guest || storage.read('selfList') ? readIds(listOf(owner)) : undefined),
    initialDataUpdatedAt: guest ? Date.now() : 0,
    networkMode: 'always',
  })
}

function listOf(owner: string): 'favourites' | 'selfList' {
  return owner === GUEST ? 'favourites' : 'selfList'
}

/** The account's favourites; what was chosen as a guest joins them once, after logging in. */
async function fetchMerged(): Promise<number[]> {
  const account = await fetchFavourites()
  const guest = readIds('favourites')
  const merged = mergeFavourites(account, guest)
  const kept = merged.length > account.length ? await saveFavourites(merged) : account
  storage.remove('favourites')
  writeIds('selfList', kept)
  return kept
}

export type Favourites = {
  /** Product ids in the trader's order; none until the first answer. */
  ids: readonly number[]
  /** Whether the list is known. */
  ready: boolean
  /** Why there is no list. */
  error: unknown
  retry: () => void
  add: (id: number) => void
  /** Takes a product out; the answer puts it back where it was. */
  remove: (id: number) => () => void
  toggle: (id: number) => void
  /** Moves a product to a place among the others, from 0. */
  move: (id: number, at: number) => void
}

/**
 * The favourites of whoever uses the app. A change shows at once; when the server refuses it, it is taken
 * back and the reason is shown.
 */
export function useFavourites(): Favourites {
  const owner = useSession(ownerOf)
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(favouritesQuery(owner))
  const { mutate } = useMutation({
    mutationKey: [...mutationKey, owner],
    // One after the other: each sends the whole list.
    scope: { id: `favourites ${owner}` },
    networkMode: 'always',
    mutationFn: async (change: FavouriteChange) => {
      const query = favouritesQuery(owner)
      const kept = client.getQueryState(query.queryKey)
      const confirmed = kept?.dataUpdatedAt ? kept.data : await client.fetchQuery(query)
      await client.cancelQueries({ queryKey: query.queryKey })
      const wanted = applyChange(confirmed ?? [], change)
      const saved = owner === GUEST ? wanted : await saveFavourites(wanted)
      writeIds(listOf(owner), saved)
      client.setQueryData(query.queryKey, saved)
    },
    onError: (failure) => toast.error(reasonOf(failure).reason),
  })
  const changes = useMutationState({
    filters: { mutationKey: [...mutationKey, owner], status: 'pending' },
    select: ({ state }) => state.variables as FavouriteChange,
  })
  const ids = useMemo(() => changes.reduce<number[]>(applyChange, data ?? []), [data, changes])

  useEffect(
    () =>
      storage.onChangeElsewhere('favourites', () => {
        void client.invalidateQueries({ queryKey: ['favourites', GUEST] })
      }),
    [client],
  )

  const add = useCallback((id: number) => mutate({ kind: 'add', id }), [mutate])
  const move = useCallback((id: number, at: number) => mutate({ kind: 'move', id, at }), [mutate])
  const remove = useCallback(
    (id: number) => {
      const at = ids.indexOf(id)
      mutate({ kind: 'remove', id })
      return () => mutate({ kind: 'add', id, ...(at >= 0 ? { at } : {}) })
    },
    [mutate, ids],
  )
  const toggle = useCallback(
    (id: number) => mutate({ kind: ids.includes(id) ? 'remove' : 'add', id }),
    [mutate, ids],
  )
  return {
    ids,
    ready: data !== undefined,
    error: data ? null : error,
    retry: () => void refetch(),
    add,
    remove,
    toggle,
    move,
  }
}
