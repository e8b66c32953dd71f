/** The Monday that weekdays are counted from. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000

/** The name of a weekday in a language; 1 is Monday. */
export function formatWeekday(day: number, tag: string): string {
  return nameOf(day, tag, 'long')
}

/** Mon */
export function formatShortWeekday(day: number, tag: string): string {
  return nameOf(day, tag, 'short')
}

function nameOf(day: number, tag: string, weekday: 'long' | 'short'): string {
  return new Intl.DateTimeFormat(tag, { weekday, timeZone: 'UTC' }).format(
    MONDAY + (day - 1) * DAY_MS,
  )
}
