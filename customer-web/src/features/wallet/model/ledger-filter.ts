import type { Wire } from '@/api/client'
import { shiftDay, startOf, type Zone } from '@/format/days'

/** What narrows the ledger; days as `yyyy-mm-dd`, both inside. */
export type LedgerFilter = {
  kind?: Wire['KindFilter'] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The same as the call takes it; times in ms, `endTime` is the first that is outside. */
export type LedgerQuery = { kind?: Wire['KindFilter']; startTime?: number; endTime?: number }

/** What the call takes: the last day is asked for to its end. */
export function toLedgerQuery({ kind, from, to }: LedgerFilter, zone: Zone): LedgerQuery {
  return {
    ...(kind ? { kind } : {}),
    ...(from ? { startTime: startOf(from, zone) } : {}),
    ...(to ? { endTime: startOf(shiftDay(to, 1), zone) } : {}),
  }
}

/** Whether anything is left out. */
export function narrows(filter: LedgerFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
