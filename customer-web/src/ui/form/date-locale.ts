import dayjs from 'dayjs'

const DAY_MS = 24 * 60 * 60 * 1000
/** Weekdays of dayjs count from Sunday. */
const SUNDAY = Date.UTC(2024, 0, 7)

const english = dayjs.Ls.en as NonNullable<typeof dayjs.Ls.en>

const letters: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {
  day: 'DD',
  month: 'MM',
  year: 'YYYY',
}

/** The order and separators in which a date is typed in a region: DD/MM/YYYY. */
export function dateFormat(tag: string): string {
  return new Intl.DateTimeFormat(`${tag}-u-ca-gregory-nu-latn`, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  })
    .formatToParts(0)
    .map(({ type, value }) => letters[type] ?? value.replace(/[\u200e\u200f]/g, ''))
    .join('')
}

/** Older browsers have it as a property. */
type WeekInfo = { firstDay: number }

/** The first weekday of a calendar in a region, counted from Sunday; Monday where the browser cannot tell. */
function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag) as Intl.Locale & {
    getWeekInfo?: () => WeekInfo
    weekInfo?: WeekInfo
  }
  return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7
}

/** Names months and weekdays for dayjs from the browser's own tables, and returns the name of the locale. */
export function dateLocale(tag: string): string {
  const calendar = `${tag}-u-ca-gregory-nu-latn`
  const months = (month: 'long' | 'short') => {
    const { format } = new Intl.DateTimeFormat(calendar, { month, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, index) => format(Date.UTC(2024, index, 1)))
  }
  const weekdays = (weekday: 'long' | 'short' | 'narrow') => {
    const { format } = new Intl.DateTimeFormat(calendar, { weekday, timeZone: 'UTC' })
    return Array.from({ length: 7 }, (_, index) => format(SUNDAY + index * DAY_MS))
  }
  const hours = new Intl.DateTimeFormat(calendar, {
    hour: 'numeric',
    hourCycle: 'h12',
    timeZone: 'UTC',
  })
  const meridiem = (hour: number) =>
    hours.formatToParts(Date.UTC(2024, 0, 1, hour)).find(({ type }) => type === 'dayPeriod')
      ?.value ?? ''
  const day = dateFormat(tag)
  // dayjs looks names up in lower case.
  const name = `candor-${tag}`.toLowerCase()
  dayjs.locale(
    {
      ...english,
      name,
      months: months('long'),
      monthsShort: months('short'),
      weekdays: weekdays('long'),
      weekdaysShort: weekdays('short'),
      weekdaysMin: weekdays('narrow'),
      weekStart: firstWeekday(tag),
      // Missing in the types of dayjs.
      ...{ meridiem },
      formats: { L: day, LL: day, LLL: day, LLLL: day, LT: 'HH:mm', LTS: 'HH:mm:ss' },
    },
    undefined,
    true,
  )
  return name
}
