import { FAVOURITES_LIMIT } from '../api/favourites'

/** One change of the favourites; applying it twice has the same effect as once. */
export type FavouriteChange =
  /** At the end, or at an index. */
  | { kind: 'add'; id: number; at?: number }
  | { kind: 'remove'; id: number }
  /** To an index among the others. */
  | { kind: 'move'; id: number; at: number }

/** Returns the list after a change. */
export function applyChange(ids: readonly number[], change: FavouriteChange): number[] {
  const others = ids.filter((id) => id !== change.id)
  switch (change.kind) {
    case 'add':
      if (others.length < ids.length || ids.length >= FAVOURITES_LIMIT) return [...ids]
      return insert(others, change.id, change.at ?? others.length)
    case 'remove':
      return others
    case 'move':
      return others.length === ids.length ? [...ids] : insert(others, change.id, change.at)
  }
}

/** The account's favourites, followed by those chosen before logging in. */
export function mergeFavourites(account: readonly number[], guest: readonly number[]): number[] {
  return [...new Set([...account, ...guest])].slice(0, FAVOURITES_LIMIT)
}

function insert(ids: readonly number[], id: number, at: number): number[] {
  const place = Math.min(Math.max(0, at), ids.length)
  return [...ids.slice(0, place), id, ...ids.slice(place)]
}
