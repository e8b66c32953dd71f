import { dayIn, shiftDay, startOf } from '@/format/days'
import type { Zone } from '@/format/zone'
import type { FillQuery, HistoryQuery, OrderQuery } from '../api/history'

/** The maximum and the default number of days in a list. */
export const MAX_DAYS = 90
export const DEFAULT_DAYS = 30

export const SIDES = ['buy', 'sell'] as const
export const OPENINGS = ['market', 'limit', 'stop', 'stop_limit'] as const
export const CLOSE_REASONS = ['manual', 'sl', 'tp', 'trailing', 'stop_out', 'close_by'] as const
export const RULES = [...OPENINGS, 'sl', 'tp', 'trailing', 'stop_out', 'close_by'] as const
export const ORDER_TYPES = ['limit', 'stop', 'stop_limit'] as const
export const END_REASONS = [
  'trader',
  'no_margin',
  'too_many_positions',
  'expired',
  'close_only',
  'oco',
  'restricted',
] as const

/** What is on screen: closed positions, fills, orders that ended without a fill, or the result of the positions. */
export const HISTORY_LISTS = ['positions', 'fills', 'orders', 'performance'] as const
export type HistoryList = (typeof HISTORY_LISTS)[number]

/** The periods of one press, in days up to today. */
export const PERIODS = [7, 30, 90] as const

type ListFilter = {
  productId?: number
  side?: (typeof SIDES)[number]
  /** The rule of the opening fill. */
  openedBy?: (typeof OPENINGS)[number]
  closeReason?: (typeof CLOSE_REASONS)[number]
  /** The rule of the fill. */
  rule?: (typeof RULES)[number]
  /** The order's type. */
  type?: (typeof ORDER_TYPES)[number]
  /** The reason an order ended without a fill. */
  reason?: (typeof END_REASONS)[number]
}

export type FilterField = keyof ListFilter

const OF_POSITIONS = ['productId', 'side', 'openedBy', 'closeReason'] as const
const FIELDS: Record<HistoryList, readonly FilterField[]> = {
  positions: OF_POSITIONS,
  performance: OF_POSITIONS,
  fills: ['productId', 'side', 'rule'],
  orders: ['productId', 'side', 'type', 'reason'],
}

/** Days as `yyyy-mm-dd`, both inclusive. */
export type HistoryFilter = ListFilter & { from: string; to: string }

/** Sets one field of the filter; undefined removes it. */
export function withFilter<K extends keyof ListFilter>(
  filter: HistoryFilter,
  field: K,
  value: ListFilter[K],
): HistoryFilter {
  const { [field]: _, ...rest } = filter
  return (value === undefined ? rest : { ...rest, [field]: value }) as HistoryFilter
}

/** Parses the filter of an address; missing or invalid values become the default. */
export function readFilter(query: URLSearchParams, today: string): HistoryFilter {
  const to = earlier(dayIn(query.get('to')) ?? today, today)
  const wanted = dayIn(query.get('from')) ?? shiftDay(to, 1 - DEFAULT_DAYS)
  const from = later(earlier(wanted, to), shiftDay(to, 1 - MAX_DAYS))
  const product = query.get('product') ?? ''
  let filter: HistoryFilter = { from, to }
  if (/^[1-9]\d{0,8}$/.test(product)) filter = withFilter(filter, 'productId', Number(product))
  filter = withFilter(filter, 'side', oneOf(SIDES, query.get('side')))
  filter = withFilter(filter, 'openedBy', oneOf(OPENINGS, query.get('opened')))
  filter = withFilter(filter, 'closeReason', oneOf(CLOSE_REASONS, query.get('closed')))
  filter = withFilter(filter, 'rule', oneOf(RULES, query.get('rule')))
  filter = withFilter(filter, 'type', oneOf(ORDER_TYPES, query.get('type')))
  return withFilter(filter, 'reason', oneOf(END_REASONS, query.get('reason')))
}

/** Sets the first day; the last day moves if the range becomes too long. */
export function withFrom(filter: HistoryFilter, from: string, today: string): HistoryFilter {
  const to = later(earlier(filter.to, shiftDay(from, MAX_DAYS - 1)), from)
  return { ...filter, from, to: earlier(to, today) }
}

/** Sets the last day; the first day moves if the range becomes too long. */
export function withTo(filter: HistoryFilter, to: string): HistoryFilter {
  return { ...filter, to, from: later(earlier(filter.from, to), shiftDay(to, 1 - MAX_DAYS)) }
}

/** Sets the days up to today. */
export function withPeriod(filter: HistoryFilter, days: number, today: string): HistoryFilter {
  return { ...filter, from: shiftDay(today, 1 - days), to: today }
}

/** The period of one press that a filter has; undefined for days of the trader's own. */
export function periodOf({ from, to }: HistoryFilter, today: string): number | undefined {
  return to === today ? PERIODS.find((days) => shiftDay(to, 1 - days) === from) : undefined
}

/** The fields of a list by which a filter narrows it. */
export function activeFields(filter: HistoryFilter, list: HistoryList): readonly FilterField[] {
  return FIELDS[list].filter((field) => filter[field] !== undefined)
}

/** The address of a filter; default values are omitted. */
export function writeFilter(filter: HistoryFilter, today: string): URLSearchParams {
  const query = new URLSearchParams()
  if (filter.productId !== undefined) query.set('product', String(filter.productId))
  if (filter.side) query.set('side', filter.side)
  if (filter.openedBy) query.set('opened', filter.openedBy)
  if (filter.closeReason) query.set('closed', filter.closeReason)
  if (filter.rule) query.set('rule', filter.rule)
  if (filter.type) query.set('type', filter.type)
  if (filter.reason) query.set('reason', filter.reason)
  if (filter.from !== shiftDay(filter.to, 1 - DEFAULT_DAYS)) query.set('from', filter.from)
  if (filter.to !== today) query.set('to', filter.to)
  return query
}

/** The list named in an address. */
export function readList(query: URLSearchParams): HistoryList {
  return oneOf(HISTORY_LISTS, query.get('list')) ?? 'positions'
}

/** The query for closed positions; the last day is included in full. */
export function toHistoryQuery(filter: HistoryFilter, zone: Zone) {
  const { openedBy, closeReason } = filter
  return { ...shared(filter, zone), ...defined({ openedBy, closeReason }) } satisfies HistoryQuery
}

/** The query for fills. */
export function toFillQuery(filter: HistoryFilter, zone: Zone) {
  return { ...shared(filter, zone), ...defined({ rule: filter.rule }) } satisfies FillQuery
}

/** The query for orders. */
export function toOrderQuery(filter: HistoryFilter, zone: Zone) {
  const { type, reason } = filter
  return {
    ...shared(filter, zone),
    ...defined({ type, reason }),
    status: 'unfilled',
  } satisfies OrderQuery
}

/** The filter fields common to all lists. */
function shared({ productId, side, from, to }: HistoryFilter, zone: Zone) {
  return {
    ...defined({ productId, side }),
    startTime: startOf(from, zone),
    endTime: startOf(shiftDay(to, 1), zone),
  }
}

/** Drops undefined fields. */
function defined<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

function oneOf<T extends string>(words: readonly T[], word: string | null): T | undefined {
  return words.find((one) => one === word)
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
