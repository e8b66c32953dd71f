import { useInfiniteQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { fetchUntilNonEmpty } from '@/api/fetch-until-non-empty'
import type { LedgerQuery } from '../model/ledger-filter'
import { useAccountKey } from './money'

export type LedgerLine = Wire['LedgerLine']

const SIZE = 20

/** The account's ledger entries, newest first, each page from the last id of the previous one. */
export function useLedger(query: LedgerQuery) {
  return useInfiniteQuery({
    queryKey: ['history', 'ledger', useAccountKey(), query],
    queryFn: ({ pageParam }) =>
      fetchUntilNonEmpty(pageParam, (from) =>
        call(
          api.GET('/client/wallet/findLedgerPage', {
            params: { query: { ...query, size: SIZE, ...(from > 0 ? { next: from } : {}) } },
          }),
        ),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}
