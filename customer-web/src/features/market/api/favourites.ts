import { api, call } from '@/api/client'

/** The most favourites a trader may keep. */
export const FAVOURITES_LIMIT = 200

/** The logged-in trader's favourite products, in their order. */
export function fetchFavourites(): Promise<number[]> {
  return call(api.GET('/client/user/findFavouriteList'))
}

/** Replaces them; answers the list as it is now kept. */
export function saveFavourites(productIds: number[]): Promise<number[]> {
  return call(api.POST('/client/user/updateFavouriteList', { body: { productIds } }))
}
