import { useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { MOCK_ACCOUNT_TYPES } from '@/constants'
import { useSession } from '../model/session-store'

export type Account = Wire['Account']

/** The numbers by which a switch is asked for. */
const REAL = 1
const MOCK = 5

export function isMock(accountType: number): boolean {
  return MOCK_ACCOUNT_TYPES.includes(accountType)
}

/** The accounts one can change to. */
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
  /** Tops a mock account up to this balance. */
  initAmount?: string
}

/** Changes the session to the real or the mock account. The token of before is dead then. */
export function switchUser({ mock, initAmount }: Switch): Promise<Wire['Session']> {
  return call(
    api.GET('/client/copy/switchUser', {
      params: {
        query: { accountType: mock ? MOCK : REAL, ...(initAmount ? { initAmount } : {}) },
      },
    }),
  )
}
