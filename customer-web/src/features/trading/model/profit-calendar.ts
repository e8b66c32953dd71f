import { shiftDay } from '@/format/days'

export type CalendarCell = { day: string; net: string | undefined } | null
export type CalendarMonth = { month: string; weeks: CalendarCell[][] }

/** The months of a period in weeks from Monday, newest month first; days outside the period are empty. */
export function calendarOf(
  from: string,
  to: string,
  nets: ReadonlyMap<string, string>,
): CalendarMonth[] {
  const months: CalendarMonth[] = []
  for (let day = from; day <= to; day = shiftDay(day, 1)) {
    const month = day.slice(0, 7)
    let current = months[0]
    if (current?.month !== month) {
      current = { month, weeks: [] }
      months.unshift(current)
    }
    // Monday is 0.
    const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
    let week = current.weeks.at(-1)
    if (!week || weekday === 0) {
      week = Array.from({ length: 7 }, () => null)
      current.weeks.push(week)
    }
    week[weekday] = { day, net: nets.get(day) }
  }
  return months
}
