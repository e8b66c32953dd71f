export const NOTICE_PATH = '/notice'
export const NEWS_PATH = '/news'
export const LEGAL_PATH = '/relevant'

/** The id in the address; null if absent. */
export function idIn(search: URLSearchParams): number | null {
  const text = search.get('id') ?? ''
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
