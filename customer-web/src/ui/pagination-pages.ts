import { PAGINATION_WINDOW } from '@/constants'

export type Pages = {
  current: number
  last: number
  /** The page numbers shown, at most five, around the current one. */
  shown: number[]
  ellipsisBefore: boolean
  ellipsisAfter: boolean
}

/** The pages of a pagination (specification, point 4). */
export function pagesOf(total: number, pagesize: number, wanted: number): Pages {
  const last = Math.max(0, Math.ceil(total / Math.max(1, pagesize)))
  const current = Math.min(Math.max(1, wanted), Math.max(1, last))
  const reach = Math.floor(PAGINATION_WINDOW / 2)
  const shown: number[] = []
  for (let page = Math.max(1, current - reach); page <= Math.min(last, current + reach); page++) {
    shown.push(page)
  }
  return {
    current,
    last,
    shown,
    ellipsisBefore: current > 3,
    ellipsisAfter: current < last - 2,
  }
}

/** The page in a URL query, or 1. */
export function pageInQuery(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}
