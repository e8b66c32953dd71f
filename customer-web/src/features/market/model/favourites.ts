import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { reasonOf } from '@/api/reason'
import { toast } from '@/ui/toast/toast-store'
import { applyChange, type FavouriteChange } from './favourite-list'
import {
  favouritesQuery,
  onGuestFavourites,
  type StoredFavourites,
  storeFavourites,
  useOwner,
  useStoredFavourites,
} from './stored-favourites'

export type Favourites = StoredFavourites & {
  add: (id: number) => void
  /** Removes a product; the returned function restores its position. */
  remove: (id: number) => () => void
  toggle: (id: number) => void
  /** Moves a product to an index among the others, from 0. */
  move: (id: number, at: number) => void
}

/**
 * The current user's favourites with their changes. A change shows at once; if the server refuses it, it is
 * reverted and the reason is shown.
 */
export function useFavourites(): Favourites {
  const client = useQueryClient()
  const owner = useOwner()
  const stored = useStoredFavourites()
  const mutationKey = ['favourites', owner]
  const { mutate } = useMutation({
    mutationKey,
    // Changes run one after the other, because each sends the whole list.
    scope: { id: mutationKey.join() },
    networkMode: 'always',
    mutationFn: async (change: FavouriteChange) => {
      const query = favouritesQuery(owner)
      const known = client.getQueryState(query.queryKey)
      const confirmed = known?.dataUpdatedAt ? known.data : await client.fetchQuery(query)
      await client.cancelQueries({ queryKey: query.queryKey })
      const saved = await storeFavourites(owner, applyChange(confirmed ?? [], change))
      client.setQueryData(query.queryKey, saved)
    },
    onError: (failure) => toast.error(reasonOf(failure).reason),
  })
  const changes = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as FavouriteChange,
  })
  const ids = useMemo(
    () => changes.reduce<number[]>(applyChange, [...stored.ids]),
    [stored.ids, changes],
  )

  useEffect(
    () =>
      onGuestFavourites((guest) => {
        void client.invalidateQueries({ queryKey: ['favourites', guest] })
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
  return { ...stored, ids, add, remove, toggle, move }
}
