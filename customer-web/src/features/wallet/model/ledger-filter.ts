import type { Wire } from '@/api/client'
import { shiftDay, startOf } from '@/format/days'
import type { Zone } from '@/format/zone'

/** The list filter of the ledger; days as `yyyy-mm-dd`, both inclusive. */
export type LedgerFilter = {
  accountId?: number | undefined
  kind?: Wire['KindFilter'] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The filter as sent to the server; times in ms, `endTime` is exclusive. */
export type LedgerQuery = {
  accountId?: number
  kind?: Wire['KindFilter']
  startTime?: number
  endTime?: number
}

/** The query of a filter; the last day is included in full. */
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

/** Reports whether the filter hides any entries of the account. */
export function isFiltered({ accountId, ...filter }: LedgerFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

/** How many filters are set, the account among them. */
export function filterCount(filter: LedgerFilter): number {
  return Object.values(filter).filter((value) => value !== undefined).length
}
