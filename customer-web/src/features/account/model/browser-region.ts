/** The country in the browser's language settings as an ISO code; null if there is none. */
export function browserRegion(
  languages: readonly string[] = navigator.languages ?? [],
): string | null {
  for (const tag of languages) {
    try {
      const { region } = new Intl.Locale(tag)
      if (region && /^[A-Z]{2}$/.test(region)) return region
    } catch {
      // Not a language tag.
    }
  }
  return null
}
