import { NO_VALUE } from './decimal'
import { type Zone, zoneName } from './zone'

/** The trader's time format, with the tag of the active language and region. */
export type TimeStyle = {
  /** BCP 47 tag of the language as it is written in the trader's region. */
  tag: string
  hourCycle: '12' | '24'
  timeZone: Zone
}

type Shape =
  | 'time'
  | 'seconds'
  | 'day'
  | 'weekdayDate'
  | 'month'
  | 'date'
  | 'dateTime'
  | 'dateTimeSeconds'

const shapes: Record<Shape, Intl.DateTimeFormatOptions> = {
  time: { hour: '2-digit', minute: '2-digit' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { month: 'short', day: 'numeric' },
  weekdayDate: { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
  date: { year: 'numeric', month: 'short', day: 'numeric' },
  dateTime: { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  dateTimeSeconds: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
}

const dateShapes: readonly Shape[] = ['day', 'weekdayDate', 'month', 'date']

/** 15:42 */
export function formatTime(at: number, style: TimeStyle): string {
  return format(at, style, 'time')
}

/** 15:42:08 */
export function formatTimeSeconds(at: number, style: TimeStyle): string {
  return format(at, style, 'seconds')
}

/** 20 Nov */
export function formatDay(at: number, style: TimeStyle): string {
  return format(at, style, 'day')
}

/** 20 Nov 2026, in the order of language and region */
export function formatDate(at: number, style: TimeStyle): string {
  return format(at, style, 'date')
}

/** Fri 20 Nov 2026 */
export function formatWeekdayDate(at: number, style: TimeStyle): string {
  return format(at, style, 'weekdayDate')
}

/** November 2026 */
export function formatMonth(at: number, style: TimeStyle): string {
  return format(at, style, 'month')
}

/** 20 Nov 2026, 15:42 */
export function formatDateTime(at: number, style: TimeStyle): string {
  return format(at, style, 'dateTime')
}

/** 20 Nov 2026, 15:42:08 */
export function formatDateTimeSeconds(at: number, style: TimeStyle): string {
  return format(at, style, 'dateTimeSeconds')
}

/** 2026-11-20 15:42:08 UTC, the same in every language: shown on hover and copied into reports. */
export function formatUtc(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return NO_VALUE
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function format(at: number, style: TimeStyle, shape: Shape): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return NO_VALUE
  return formatterFor(style, shape).format(at)
}

function formatterFor({ tag, hourCycle, timeZone }: TimeStyle, shape: Shape): Intl.DateTimeFormat {
  const key = `${tag} ${hourCycle} ${timeZone} ${shape}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, {
    ...shapes[shape],
    ...(dateShapes.includes(shape) ? {} : { hourCycle: hourCycle === '24' ? 'h23' : 'h12' }),
    timeZone: zoneName(timeZone),
  })
  formatters.set(key, made)
  return made
}
