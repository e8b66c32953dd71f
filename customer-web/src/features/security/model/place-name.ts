import i18next from 'i18next'
import { countryName } from '@/format/country-name'

/** Where a device or an event was, as the server knows it. */
export type Place = { country?: string | undefined; city?: string | undefined }

/** "Lisbon, Portugal" in the active language, whose tag is given; undefined where no place is known. */
export function placeName({ country, city }: Place, tag: string): string | undefined {
  if (!country) return undefined
  const name = countryName(country, tag)
  return city ? i18next.t('place.city', { city, country: name }) : name
}
