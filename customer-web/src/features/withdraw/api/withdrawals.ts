import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import { useSession } from '@/session/session-store'
import { isUnderWay } from '../model/states'

export type Withdrawal = Wire['Withdraw']
export type WithdrawalState = Withdrawal['state']
export type WithdrawalTerms = Wire['WithdrawTerms']
export type WithdrawalWay = Wire['WithdrawWay']

const KEY = 'withdrawals'
/** Staff steps that move no money send no push, so withdrawals under way are polled. */
const UNDER_WAY_MS = 15_000
const RECENT_SIZE = 20

function fetchPage(page: number, size: number) {
  return call(api.GET('/client/withdraw/findWithdrawPage', { params: { query: { page, size } } }))
}

/** The page after a withdrawal id, or the first page (0). */
function fetchAfter(next: number, size: number) {
  return call(
    api.GET('/client/withdraw/findWithdrawPage', {
      params: { query: { size, ...(next > 0 ? { next } : {}) } },
    }),
  )
}

function useOwner(): string {
  return useSession(({ user }) => user?.userId ?? '')
}

/** The available amount, the limits, and what restricts them. */
export function useWithdrawalTerms() {
  return useQuery({
    queryKey: [KEY, useOwner(), 'terms'],
    queryFn: () => call(api.GET('/client/withdraw/findWithdrawTerms')),
    staleTime: 0,
  })
}

/** The newest withdrawals: under way or recently ended. */
export function useRecentWithdrawals() {
  return useQuery({
    queryKey: [KEY, useOwner(), 'recent'],
    queryFn: () => fetchPage(1, RECENT_SIZE),
    refetchInterval: ({ state }) =>
      state.data?.list.some((one) => isUnderWay(one.state)) ? UNDER_WAY_MS : false,
  })
}

/** One numbered page of all withdrawals. */
export function useWithdrawalPage(page: number) {
  return useQuery({
    queryKey: [KEY, useOwner(), 'page', page],
    queryFn: () => fetchPage(page, PAGINATION_PAGE_SIZE),
    placeholderData: keepPreviousData,
  })
}

/** All withdrawals, page by page. */
export function useWithdrawalList() {
  return useInfiniteQuery({
    queryKey: [KEY, useOwner(), 'list'],
    queryFn: ({ pageParam }) => fetchAfter(pageParam, PAGINATION_PAGE_SIZE),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

function withdrawalQuery(owner: string, id: number) {
  return queryOptions({
    queryKey: [KEY, owner, 'one', id],
    queryFn: () => findWithdrawal(id),
    refetchInterval: ({ state }) =>
      state.data && isUnderWay(state.data.state) ? UNDER_WAY_MS : false,
  })
}

/** One withdrawal by id; null if the trader has none with that id. */
export function useWithdrawal(id: number) {
  return useQuery(withdrawalQuery(useOwner(), id))
}

/**
 * There is no call for one withdrawal. Pages are sorted by id, so it is the first entry of the page after the next
 * higher id.
 */
async function findWithdrawal(id: number): Promise<Withdrawal | null> {
  const { list } = await fetchAfter(id + 1, 1)
  return list.find(({ withdrawId }) => withdrawId === id) ?? null
}

/** Shows the result of a write at once and refetches lists and limits. */
export function applyWithdrawal(client: QueryClient, withdrawal: Withdrawal): void {
  const owner = useSession.getState().user?.userId ?? ''
  client.setQueryData(withdrawalQuery(owner, withdrawal.withdrawId).queryKey, withdrawal)
  void client.invalidateQueries({
    queryKey: [KEY, owner],
    predicate: ({ queryKey }) => queryKey[2] !== 'one',
  })
}

/** Refetches everything about withdrawals. */
export function refreshWithdrawals(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}
