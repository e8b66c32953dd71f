/** A country of a list; `code` is the dialling code. */
export type ListedCountry = { country: string; en: string; code?: string }

export type NamedCountry<C extends ListedCountry = ListedCountry> = C & {
  /** In the active language. */
  name: string
}

/** Countries with their names in a language, sorted in its order. */
export function nameCountries<C extends ListedCountry>(
  countries: readonly C[],
  tag: string,
): NamedCountry<C>[] {
  const names = new Intl.DisplayNames([tag], { type: 'region', fallback: 'none' })
  const { compare } = new Intl.Collator(tag)
  return countries
    .map((country) => ({ ...country, name: names.of(country.country) ?? country.en }))
    .sort((a, b) => compare(a.name, b.name))
}

/** Countries whose name, English name, ISO code or dialling code matches; names that start with the text come first. */
export function searchCountries<C extends NamedCountry>(
  countries: readonly C[],
  text: string,
): C[] {
  const wanted = plain(text).replace(/^\+/, '')
  if (wanted === '') return [...countries]
  const isCode = /^\d+$/.test(wanted)
  const ranked = countries.flatMap((country) => {
    if (isCode)
      return country.code?.startsWith(wanted) ? [{ country, rank: country.code.length }] : []
    const texts = [plain(country.name), plain(country.en)]
    if (texts.some((one) => one.startsWith(wanted))) return [{ country, rank: 1 }]
    if (plain(country.country) === wanted) return [{ country, rank: 0 }]
    return texts.some((one) => one.includes(wanted)) ? [{ country, rank: 2 }] : []
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ country }) => country)
}

/** Lower case without accents, so that "turkiye" finds Türkiye. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
}
