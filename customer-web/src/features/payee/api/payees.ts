import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { useSession } from '@/session/session-store'

export type SavedAddress = Wire['UserAddress']
export type AddressBook = Wire['UserAddressList']
export type AddressCoin = Wire['AddressCoin']
export type AddressChain = Wire['AddressChain']

const KEY = 'payees'

function addressBookQuery(owner: string) {
  return queryOptions({
    queryKey: [KEY, owner],
    queryFn: () => call(api.GET('/client/userAddress/findUserAddressList')),
    staleTime: 0,
  })
}

/** The saved addresses, and whether the whitelist is on. */
export function useAddressBook(enabled = true) {
  return useQuery({
    ...addressBookQuery(useSession(({ user }) => user?.userId ?? '')),
    enabled,
  })
}

/** The coins that can be sent, with their chains. */
export function useAddressCoins() {
  return useQuery({
    queryKey: ['address-coins'],
    queryFn: () => call(api.GET('/client/userAddress/getChain')),
    staleTime: 5 * 60_000,
  })
}

/** Refetches the address book. */
export function refreshAddressBook(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}
