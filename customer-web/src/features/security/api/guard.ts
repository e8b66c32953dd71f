import { infiniteQueryOptions, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
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

const PER_PAGE = 20

/** The devices of the account, last used first. */
const devicesQuery = infiniteQueryOptions({
  queryKey: ['security', 'devices'],
  queryFn: ({ pageParam }) =>
    call(
      api.GET('/client/user/findDevicePage', {
        params: { query: { next: pageParam, size: PER_PAGE } },
      }),
    ),
  initialPageParam: 0,
  getNextPageParam: ({ next }) => (next === 0 ? undefined : next),
  staleTime: 0,
})

export const useDevices = () => useInfiniteQuery(devicesQuery)

/** Signs a device out, or all others without an id. */
export function deleteDevice(body: Wire['DeleteDevice']): Promise<number> {
  return call(api.POST('/client/user/deleteDevice', { body }))
}

/** Takes a removed device, or all others without an id, off the list at once, and fetches the list anew. */
export function forgetDevice(client: QueryClient, deviceId?: number): void {
  const stays = (device: Device) =>
    deviceId === undefined ? device.current : device.deviceId !== deviceId
  client.setQueryData(
    devicesQuery.queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, list: page.list.filter(stays) })),
      },
  )
  void client.invalidateQueries({ queryKey: devicesQuery.queryKey })
}

/** What happened to what guards the account, newest first. */
export function useSecurityEvents() {
  return useInfiniteQuery({
    queryKey: ['security', 'events'],
    queryFn: ({ pageParam }) =>
      call(
        api.GET('/client/user/findSecurityEventPage', {
          params: { query: { next: pageParam, size: PER_PAGE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next === 0 ? undefined : next),
    staleTime: 0,
  })
}
