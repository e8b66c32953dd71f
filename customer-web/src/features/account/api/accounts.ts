import { useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { MOCK_ACCOUNT_TYPES } from '@/constants'
import { useSession } from '@/session/session-store'

export type Account = Wire['Account']

/** The account types in a switch request. */
const REAL = 1
const MOCK = 5

export function isMock(accountType: number): boolean {
  return MOCK_ACCOUNT_TYPES.includes(accountType)
}

/** The accounts the trader can switch to. */
export function useAccounts() {
  const token = useSession((session) => session.token)
  return useQuery({
    queryKey: ['accounts'],
    queryFn: () => call(api.GET('/client/user/findAccountList')),
    enabled: token !== null,
    staleTime: 0,
  })
}

export type Switch = {
  mock: boolean
  /** Tops up a mock account to this balance. */
  initAmount?: string
}

/** Switches the session to the real or the mock account. The previous token becomes invalid. */
export function switchUser({ mock, initAmount }: Switch): Promise<Wire['Session']> {
  return call(
    api.GET('/client/copy/switchUser', {
      params: {
        query: { accountType: mock ? MOCK : REAL, ...(initAmount ? { initAmount } : {}) },
      },
    }),
  )
}
