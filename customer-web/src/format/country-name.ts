/** A country's name in a language; its ISO 3166-1 code where the browser knows none. */
export function countryName(country: string, tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'region' }).of(country) ?? country
  } catch {
    return country
  }
}
