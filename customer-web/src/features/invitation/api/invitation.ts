import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type Invitation = Wire['Invitation']
export type Invitee = Wire['Invitee']

const PER_PAGE = 20

/** The trader's invitation. */
export const invitationQuery = queryOptions({
  queryKey: ['invitation'],
  queryFn: () => call(api.GET('/client/user/findInvitation')),
  staleTime: 0,
})

export const useInvitation = () => useQuery(invitationQuery)

const nextOf = ({ next }: { next: number }) => (next === 0 ? undefined : next)

/** Whom the trader has invited. */
export function useInvitees() {
  return useInfiniteQuery({
    queryKey: ['invitation', 'invitees'],
    queryFn: ({ pageParam }) =>
      call(
        api.GET('/client/user/findInviteePage', {
          params: { query: { next: pageParam, size: PER_PAGE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextOf,
    staleTime: 0,
  })
}

/** The rebates that were paid. */
export function useRebatePayments() {
  return useInfiniteQuery({
    queryKey: ['invitation', 'payments'],
    queryFn: ({ pageParam }) =>
      call(
        api.GET('/client/user/findRebatePaymentPage', {
          params: { query: { next: pageParam, size: PER_PAGE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: nextOf,
    staleTime: 0,
  })
}
