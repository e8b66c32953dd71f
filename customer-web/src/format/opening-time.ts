import { formatDate, type TimeStyle } from './time'
import { formatOffset, zoneName } from './zone'

const WEEKDAY_REACH_MS = 6 * 24 * 60 * 60 * 1000

const formatters = new Map<string, Intl.DateTimeFormat>()
const todays = new Map<string, string>()

/**
 * When a market opens: "today 14:30", "Mon 01:15", or with the date if that is a week away or more. The zone is named
 * unless it is the device's.
 */
export function formatOpening(at: number, now: number, style: TimeStyle): string {
  const { tag, hourCycle, timeZone } = style
  const near = at - now < WEEKDAY_REACH_MS
  const today = formatDate(at, style) === formatDate(now, style)
  const key = `${tag} ${hourCycle} ${timeZone} ${near} ${today}`
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, {
      ...(today ? {} : near ? { weekday: 'short' } : { month: 'short', day: 'numeric' }),
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: hourCycle === '24' ? 'h23' : 'h12',
      timeZone: zoneName(timeZone),
    })
    formatters.set(key, formatter)
  }
  const day = today ? `${todayIn(tag)} ` : ''
  const text = `${day}${formatter.format(at)}`
  return timeZone === 'local' ? text : `${text} ${formatOffset(at, timeZone)}`
}

/** "today" in a language. */
function todayIn(tag: string): string {
  let word = todays.get(tag)
  if (word === undefined) {
    word = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(0, 'day')
    todays.set(tag, word)
  }
  return word
}

const MINUTE_MS = 60_000

/** The time left until a moment later today, in the trader's zone; null if it is past or on another day. */
export function timeLeftToday(
  at: number,
  now: number,
  style: TimeStyle,
): { hours: number; minutes: number } | null {
  if (at <= now || formatDate(at, style) !== formatDate(now, style)) return null
  const minutes = Math.ceil((at - now) / MINUTE_MS)
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}
