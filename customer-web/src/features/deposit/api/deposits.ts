import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { api, CallFailure, call, type Wire } from '@/api/client'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import { useSession } from '@/session/session-store'
import { awaitsConfirmations, awaitsProvider, awaitsStaff, awaitsTrader } from '../model/states'

export type Deposit = Wire['Recharge']
export type DepositState = Deposit['state']

const KEY = 'deposits'
/** Staff decisions send no push, so deposits that wait for them are polled. */
const WITH_STAFF_MS = 15_000
const WITH_TRADER_MS = 60_000
/** Providers notify the server but not the app. */
const WITH_PROVIDER_MS = 3_000
const RECENT_SIZE = 20

function fetchPage(page: number, size: number) {
  return call(api.GET('/client/recharge/findRechargePage', { params: { query: { page, size } } }))
}

/** The page after a deposit id, or the first page (0). */
function fetchAfter(next: number, size: number) {
  return call(
    api.GET('/client/recharge/findRechargePage', {
      params: { query: { size, ...(next > 0 ? { next } : {}) } },
    }),
  )
}

function useOwner(): string {
  return useSession(({ user }) => user?.userId ?? '')
}

/** The newest deposits: under way or recently decided. */
export function useRecentDeposits() {
  return useQuery({
    queryKey: [KEY, useOwner(), 'recent'],
    queryFn: () => fetchPage(1, RECENT_SIZE),
    refetchInterval: ({ state }) =>
      state.data?.list.some(
        (one) =>
          awaitsStaff(one.state) || awaitsProvider(one.state) || awaitsConfirmations(one.state),
      )
        ? WITH_STAFF_MS
        : false,
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

/** All deposits, page by page. */
export function useDepositList() {
  return useInfiniteQuery({
    queryKey: [KEY, useOwner(), 'list'],
    queryFn: ({ pageParam }) => fetchAfter(pageParam, PAGINATION_PAGE_SIZE),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

function depositQuery(owner: string, id: number) {
  return queryOptions({
    queryKey: [KEY, owner, 'one', id],
    queryFn: () => findDeposit(id),
    refetchInterval: ({ state }) => {
      if (!state.data) return false
      if (awaitsProvider(state.data.state)) return WITH_PROVIDER_MS
      if (awaitsStaff(state.data.state) || awaitsConfirmations(state.data.state))
        return WITH_STAFF_MS
      return awaitsTrader(state.data.state) ? WITH_TRADER_MS : false
    },
  })
}

/** One deposit by id; null if the trader has none with that id. */
export function useDeposit(id: number) {
  return useQuery(depositQuery(useOwner(), id))
}

async function findDeposit(id: number): Promise<Deposit | null> {
  try {
    return await call(
      api.GET('/client/recharge/findRecharge', { params: { query: { rechargeId: id } } }),
    )
  } catch (error) {
    if (error instanceof CallFailure && error.code === 'deposit.unknown') return null
    throw error
  }
}

/** Shows the result of a write at once and refetches the lists. */
export function applyDeposit(client: QueryClient, deposit: Deposit): void {
  const owner = useSession.getState().user?.userId ?? ''
  client.setQueryData(depositQuery(owner, deposit.rechargeId).queryKey, deposit)
  void client.invalidateQueries({
    queryKey: [KEY, owner],
    predicate: ({ queryKey }) => queryKey[2] !== 'one',
  })
}

/** Refetches everything about deposits. */
export function refreshDeposits(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}
