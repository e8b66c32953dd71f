export const LOGIN_PATH = '/login'

/** The login path for a visitor who opened a screen that needs a session; it leads back afterwards. */
export function loginPathFrom(pathAndSearch: string): string {
  return `${LOGIN_PATH}?from=${encodeURIComponent(pathAndSearch)}`
}
