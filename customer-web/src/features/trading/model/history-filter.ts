import type { HistoryQuery } from '../api/history'

/** The most days one list holds, and how many it shows without a wish. */
export const MOST_DAYS = 90
export const USUAL_DAYS = 30

type Zone = 'local' | 'utc'

/** Days as `yyyy-mm-dd`, both inside. */
export type HistoryFilter = {
  productId?: number
  side?: 'buy' | 'sell'
  from: string
  to: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The day of a moment, in the trader's zone. */
export function dayOf(at: number, zone: Zone): string {
  const shifted = zone === 'utc' ? at : at - new Date(at).getTimezoneOffset() * 60_000
  return new Date(shifted).toISOString().slice(0, 10)
}

/** When a day begins, in the trader's zone. */
export function startOf(day: string, zone: Zone): number {
  return new Date(`${day}T00:00:00${zone === 'utc' ? 'Z' : ''}`).getTime()
}

/** A day some days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The filter an address names; what it leaves out, or what cannot be, becomes the usual. */
export function readFilter(query: URLSearchParams, today: string): HistoryFilter {
  const to = earlier(dayIn(query.get('to')) ?? today, today)
  const wished = dayIn(query.get('from')) ?? shiftDay(to, 1 - USUAL_DAYS)
  const from = later(earlier(wished, to), shiftDay(to, 1 - MOST_DAYS))
  const product = query.get('product') ?? ''
  const side = query.get('side')
  return {
    from,
    to,
    ...(/^[1-9]\d{0,8}$/.test(product) ? { productId: Number(product) } : {}),
    ...(side === 'buy' || side === 'sell' ? { side } : {}),
  }
}

/** The filter with another first day; the last one follows where the days become too many. */
export function withFrom(filter: HistoryFilter, from: string, today: string): HistoryFilter {
  const to = later(earlier(filter.to, shiftDay(from, MOST_DAYS - 1)), from)
  return { ...filter, from, to: earlier(to, today) }
}

/** The filter with another last day; the first one follows where the days become too many. */
export function withTo(filter: HistoryFilter, to: string): HistoryFilter {
  return { ...filter, to, from: later(earlier(filter.from, to), shiftDay(to, 1 - MOST_DAYS)) }
}

/** The address of a filter; what is usual is left out. */
export function writeFilter(filter: HistoryFilter, today: string): URLSearchParams {
  const query = new URLSearchParams()
  if (filter.productId !== undefined) query.set('product', String(filter.productId))
  if (filter.side) query.set('side', filter.side)
  if (filter.from !== shiftDay(filter.to, 1 - USUAL_DAYS)) query.set('from', filter.from)
  if (filter.to !== today) query.set('to', filter.to)
  return query
}

/** What the call takes: the last day is asked for to its end. */
export function toHistoryQuery({ from, to, ...rest }: HistoryFilter, zone: Zone): HistoryQuery {
  return { ...rest, startTime: startOf(from, zone), endTime: startOf(shiftDay(to, 1), zone) }
}

/** A day as it was given; null when there is no such day. */
export function dayIn(text: string | null): string | null {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : text
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
