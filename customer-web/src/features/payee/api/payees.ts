import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { useSession } from '@/features/session/model/session-store'

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

/** The saved addresses, and whether they are all there may be. */
export function useAddressBook(enabled = true) {
  return useQuery({
    ...addressBookQuery(useSession(({ user }) => user?.userId ?? '')),
    enabled,
  })
}

/** What may be sent, and on which chains. */
export function useAddressCoins() {
  return useQuery({
    queryKey: ['address-coins'],
    queryFn: () => call(api.GET('/client/userAddress/getChain')),
    staleTime: 5 * 60_000,
  })
}

/** Fetches the address book anew. */
export function refreshAddressBook(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}
