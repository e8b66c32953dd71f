import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import type { Security } from './security'

export type Device = Wire['Device']
export type SecurityEvent = Wire['SecurityEvent']

/** Replaces the log-in password. */
export function updatePassword(body: Wire['UpdatePassword']): Promise<number> {
  return call(api.POST('/client/user/updatePassword', { body }))
}

/** Sends a code to a new contact. */
export function sendContactCode(account: string): Promise<Wire['CodeSent']> {
  return call(api.POST('/client/user/sendContactValidCode', { body: { account } }))
}

/** Binds a contact, or replaces the one of its kind. */
export function updateContact(body: Wire['UpdateContact']): Promise<Security> {
  return call(api.POST('/client/user/updateContact', { body }))
}

/** Sets the phrase that every mail starts with; an empty one removes it. */
export function updatePhrase(body: Wire['UpdatePhrase']): Promise<Security> {
  return call(api.POST('/client/user/updatePhrase', { body }))
}

/** The devices of the account. */
export const devicesQuery = queryOptions({
  queryKey: ['security', 'devices'],
  queryFn: () => call(api.GET('/client/user/findDeviceList')),
  staleTime: 0,
})

export const useDevices = () => useQuery(devicesQuery)

/** Signs a device out, or all others. */
export function deleteDevice(body: Wire['DeleteDevice']): Promise<Device[]> {
  return call(api.POST('/client/user/deleteDevice', { body }))
}

const EVENTS_PER_PAGE = 20

/** What happened to what guards the account, newest first. */
export function useSecurityEvents() {
  return useInfiniteQuery({
    queryKey: ['security', 'events'],
    queryFn: ({ pageParam }) =>
      call(
        api.GET('/client/user/findSecurityEventPage', {
          params: { query: { next: pageParam, size: EVENTS_PER_PAGE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next === 0 ? undefined : next),
    staleTime: 0,
  })
}
