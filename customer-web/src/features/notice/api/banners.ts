import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import type { Json } from '@/storage/entries'
import { storage } from '@/storage/storage'

export type Banner = Wire['Banner']

function isBanner(value: unknown): value is Banner {
  if (typeof value !== 'object' || value === null) return false
  const { id, title, body, link } = value as Record<string, unknown>
  return [title, body, link].every((text) => typeof text === 'string') && typeof id === 'number'
}

/** The banners of the home page; those of the last visit until the answer comes. */
export const bannersQuery = queryOptions({
  queryKey: ['banners'],
  queryFn: async () => {
    const banners = await call(api.GET('/client/api/findByBannerList'))
    storage.write('banners', banners satisfies Json[])
    return banners
  },
  staleTime: 5 * 60_000,
  initialData: () => {
    const kept: unknown[] | undefined = storage.read('banners')?.filter(isBanner)
    return kept as Banner[] | undefined
  },
  initialDataUpdatedAt: 0,
})

export function useBanners() {
  return useQuery(bannersQuery)
}
