import { startOf } from '@/format/days'
import type { Zone } from '@/format/zone'

/** The months up to that of a day, newest first, as `yyyy-mm`. */
export function monthsUpTo(today: string, count: number): string[] {
  return Array.from({ length: count }, (_, back) => shiftMonth(today.slice(0, 7), -back))
}

/** The month of an address; this month if it names none or one to come. */
export function readMonth(text: string | null, today: string): string {
  const current = today.slice(0, 7)
  return text && /^20\d\d-(0[1-9]|1[0-2])$/.test(text) && text <= current ? text : current
}

/** The moments of a month in the trader's zone; the end is exclusive. */
export function periodOfMonth(month: string, zone: Zone): { startTime: number; endTime: number } {
  return {
    startTime: startOf(`${month}-01`, zone),
    endTime: startOf(`${shiftMonth(month, 1)}-01`, zone),
  }
}

function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7)
}
