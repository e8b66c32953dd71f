import type { Wire } from '@/api/client'
import { shiftDay, startOf, type Zone } from '@/format/days'

/** What narrows the ledger; days as `yyyy-mm-dd`, both inside. */
export type LedgerFilter = {
  accountId?: number | undefined
  kind?: Wire['KindFilter'] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The same as the call takes it; times in ms, `endTime` is the first that is outside. */
export type LedgerQuery = {
  accountId?: number
  kind?: Wire['KindFilter']
  startTime?: number
  endTime?: number
}

/** What the call takes: the last day is asked for to its end. */
export function toLedgerQuery(
  { accountId, kind, from, to }: LedgerFilter,
  zone: Zone,
): LedgerQuery {
  return {
    ...(accountId ? { accountId } : {}),
    ...(kind ? { kind } : {}),
    ...(from ? { startTime: startOf(from, zone) } : {}),
    ...(to ? { endTime: startOf(shiftDay(to, 1), zone) } : {}),
  }
}

/** Whether anything of the account is left out. */
export function isFiltered({ accountId, ...filter }: LedgerFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
