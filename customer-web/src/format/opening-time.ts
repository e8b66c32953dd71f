import type { TimeStyle } from './time'

const WEEKDAY_REACH_MS = 6 * 24 * 60 * 60 * 1000

const formatters = new Map<string, Intl.DateTimeFormat>()

/**
 * When a market opens: "Mon 01:15", or with the date if that is a week away or more. The zone is named if it is
 * UTC; a trader's own needs no name.
 */
export function formatOpening(
  at: number,
  now: number,
  { tag, hourCycle, timeZone }: TimeStyle,
): string {
  const near = at - now < WEEKDAY_REACH_MS
  const key = `${tag} ${hourCycle} ${timeZone} ${near}`
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, {
      ...(near ? { weekday: 'short' } : { month: 'short', day: 'numeric' }),
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: hourCycle === '24' ? 'h23' : 'h12',
      ...(timeZone === 'utc' ? { timeZone: 'UTC' } : {}),
    })
    formatters.set(key, formatter)
  }
  return timeZone === 'utc' ? `${formatter.format(at)} UTC` : formatter.format(at)
}
