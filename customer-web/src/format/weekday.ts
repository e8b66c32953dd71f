/** The Monday that weekdays are counted from. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000

/** The name of a weekday in a language; 1 is Monday. */
export function formatWeekday(day: number, tag: string): string {
  return new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' }).format(
    MONDAY + (day - 1) * DAY_MS,
  )
}
