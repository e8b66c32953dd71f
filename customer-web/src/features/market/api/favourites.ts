import { api, call } from '@/api/client'

/** Maximum favourites per trader. */
export const FAVOURITES_LIMIT = 200

/** The trader's favourite products in order. */
export function fetchFavourites(): Promise<number[]> {
  return call(api.GET('/client/user/findFavouriteList'))
}

/** Replaces the list; returns it as stored. */
export function saveFavourites(productIds: number[]): Promise<number[]> {
  return call(api.POST('/client/user/updateFavouriteList', { body: { productIds } }))
}
