import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import { useSession } from '@/features/session/model/session-store'
import { staffActs, traderActs } from '../model/states'

export type Deposit = Wire['Recharge']
export type DepositState = Deposit['state']

const KEY = 'deposits'
/** The desk's steps send no push: what waits for it is asked for again. */
const WITH_STAFF_MS = 15_000
const WITH_TRADER_MS = 60_000
/** The largest page of the call. */
const SEARCH_SIZE = 100
const RECENT_SIZE = 20

function fetchPage(page: number, size: number) {
  return call(api.GET('/client/recharge/findRechargePage', { params: { query: { page, size } } }))
}

function useOwner(): string {
  return useSession(({ user }) => user?.userId ?? '')
}

/** The newest deposits: what is under way, and what has just been decided. */
export function useRecentDeposits() {
  return useQuery({
    queryKey: [KEY, useOwner(), 'recent'],
    queryFn: () => fetchPage(1, RECENT_SIZE),
    refetchInterval: ({ state }) =>
      state.data?.list.some((one) => staffActs(one.state)) ? WITH_STAFF_MS : false,
  })
}

/** One numbered page of all deposits. */
export function useDepositPage(page: number) {
  return useQuery({
    queryKey: [KEY, useOwner(), 'page', page],
    queryFn: () => fetchPage(page, PAGINATION_PAGE_SIZE),
    placeholderData: keepPreviousData,
  })
}

/** All deposits, page after page. */
export function useDepositList() {
  return useInfiniteQuery({
    queryKey: [KEY, useOwner(), 'list'],
    queryFn: ({ pageParam }) => fetchPage(pageParam, PAGINATION_PAGE_SIZE),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }) => (page * size < total ? page + 1 : undefined),
  })
}

function depositQuery(owner: string, id: number) {
  return queryOptions({
    queryKey: [KEY, owner, 'one', id],
    queryFn: () => findDeposit(id),
    refetchInterval: ({ state }) => {
      if (!state.data) return false
      if (staffActs(state.data.state)) return WITH_STAFF_MS
      return traderActs(state.data.state) ? WITH_TRADER_MS : false
    },
  })
}

/** One deposit by its id; null when the trader has none such. */
export function useDeposit(id: number) {
  return useQuery(depositQuery(useOwner(), id))
}

/** There is no call for one deposit: the pages are searched, which are sorted by id, newest first. */
async function findDeposit(id: number): Promise<Deposit | null> {
  for (let page = 1; ; page++) {
    const { list } = await fetchPage(page, SEARCH_SIZE)
    const found = list.find(({ rechargeId }) => rechargeId === id)
    if (found) return found
    const last = list.at(-1)
    if (!last || list.length < SEARCH_SIZE || last.rechargeId < id) return null
  }
}

/** Shows what a write answered at once, and fetches the lists anew. */
export function takeDeposit(client: QueryClient, deposit: Deposit): void {
  const owner = useSession.getState().user?.userId ?? ''
  client.setQueryData(depositQuery(owner, deposit.rechargeId).queryKey, deposit)
  void client.invalidateQueries({
    queryKey: [KEY, owner],
    predicate: ({ queryKey }) => queryKey[2] !== 'one',
  })
}

/** Fetches everything about deposits anew. */
export function refreshDeposits(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}
