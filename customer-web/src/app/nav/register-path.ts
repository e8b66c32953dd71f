/** The registration page, which leads back to a page afterwards. */
export function registerPathFrom(pathAndSearch: string): string {
  return `/register?from=${encodeURIComponent(pathAndSearch)}`
}
