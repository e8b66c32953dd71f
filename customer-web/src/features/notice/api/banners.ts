import { useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import type { LanguageCode } from '@/i18n/languages'
import type { Json } from '@/storage/entries'
import { storage } from '@/storage/storage'
import { CONTENT, useReader } from './reader'

export type Banner = Wire['Banner']

function isBanner(value: unknown): value is Banner {
  if (typeof value !== 'object' || value === null) return false
  const { id, title, body, link, image, alt, locale } = value as Record<string, unknown>
  return (
    typeof id === 'number' &&
    [title, body, link, locale].every((text) => typeof text === 'string') &&
    [image, alt].every((text) => text === undefined || typeof text === 'string')
  )
}

/** The stored banners of the last visit; none if the language has changed since. */
function keptBanners(code: LanguageCode): Banner[] | undefined {
  const stored: unknown[] = storage.read('banners') ?? []
  const banners = stored.filter(isBanner)
  return banners.some(({ locale }) => locale === code) ? banners : undefined
}

/** The banners of the home page; the stored ones of the last visit until the answer arrives. */
export function useBanners() {
  const reader = useReader()
  return useQuery({
    queryKey: [CONTENT, 'banners', ...reader],
    queryFn: async () => {
      const banners = await call(api.GET('/client/api/findByBannerList'))
      storage.write('banners', banners satisfies Json[])
      return banners
    },
    staleTime: 5 * 60_000,
    initialData: () => keptBanners(reader[0]),
    initialDataUpdatedAt: 0,
  })
}
