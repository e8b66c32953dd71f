import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { browserRegion } from '@/features/account/model/browser-region'
import { type Session, useSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { fetchFavourites, saveFavourites } from '../api/favourites'
import { productsQuery } from '../api/products'
import { mergeFavourites } from './favourite-list'
import { presetFavourites } from './preset-favourites'
import { readIds, writeIds } from './stored-ids'

const GUEST = 'guest'

/** The owner of the favourites: a trader's id, or the visitor of this browser. */
export type Owner = string

function ownerOf({ token, user }: Session): Owner {
  return token === null ? GUEST : (user?.userId ?? '')
}

export function useOwner(): Owner {
  return useSession(ownerOf)
}

// The account's list is only stored for the first view; the next user must not see it.
function forgetAccountList({ token }: Session): void {
  if (token === null) storage.remove('selfList')
}
forgetAccountList(useSession.getState())
useSession.subscribe(forgetAccountList)

/** The stored favourites: a visitor's in the browser, a trader's on the server. */
export function favouritesQuery(owner: Owner) {
  const guest = owner === GUEST
  return queryOptions({
    queryKey: ['favourites', owner],
    queryFn: ({ client }) => (guest ? readGuest(client) : fetchMerged(client, owner)),
    initialData: () => (storage.read(listOf(owner)) ? readIds(listOf(owner)) : undefined),
    initialDataUpdatedAt: guest ? Date.now() : 0,
    networkMode: 'always',
  })
}

function listOf(owner: Owner): 'favourites' | 'selfList' {
  return owner === GUEST ? 'favourites' : 'selfList'
}

/** The suggested products of this browser's country or language. */
async function presets(client: QueryClient): Promise<number[]> {
  const products = await client.ensureQueryData(productsQuery)
  return presetFavourites(products, browserRegion(), storage.read('locale') ?? navigator.language)
}

/** A visitor's favourites: the suggested ones until the first change. */
async function readGuest(client: QueryClient): Promise<number[]> {
  return storage.read('favourites') === null ? presets(client) : readIds('favourites')
}

/** The account's favourites; those chosen as a visitor are merged once after the log-in. */
async function fetchMerged(client: QueryClient, owner: Owner): Promise<number[]> {
  const account = await fetchFavourites()
  const guest = readIds('favourites')
  const merged = mergeFavourites(account, guest)
  const saved = merged.length > account.length ? await saveFavourites(merged) : account
  // An account without a list has the suggested one, unless the trader emptied it.
  const emptied = storage.read('emptiedFavourites') === owner
  const stored = saved.length > 0 || emptied ? saved : await presets(client)
  storage.remove('favourites')
  writeIds('selfList', stored)
  return stored
}

/** Stores a new list; returns it as stored. */
export async function storeFavourites(owner: Owner, wanted: number[]): Promise<number[]> {
  const stored = owner === GUEST ? wanted : await saveFavourites(wanted)
  writeIds(listOf(owner), stored)
  if (owner !== GUEST && stored.length === 0) storage.write('emptiedFavourites', owner)
  return stored
}

/** Calls back when a visitor's favourites change in another tab; returns the unsubscribe function. */
export function onGuestFavourites(listener: (owner: Owner) => void): () => void {
  return storage.onChangeElsewhere('favourites', () => listener(GUEST))
}

export type StoredFavourites = {
  /** Product ids in the trader's order; empty until the first answer. */
  ids: readonly number[]
  /** Whether the list is loaded. */
  ready: boolean
  /** The reason the list failed to load. */
  error: unknown
  retry: () => void
}

const none: readonly number[] = []

/** The current user's favourites, read only. */
export function useStoredFavourites(): StoredFavourites {
  const { data, error, refetch } = useQuery(favouritesQuery(useOwner()))
  return {
    ids: data ?? none,
    ready: data !== undefined,
    error: data ? null : error,
    retry: () => void refetch(),
  }
}
