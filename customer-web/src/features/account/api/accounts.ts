import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
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
  /** The account; without it the main account of its kind. */
  accountId?: number | undefined
  /** Tops up a mock account to this balance. */
  initAmount?: string
}

/** Switches the session to another account. The previous token becomes invalid. */
export function switchUser({ mock, accountId, initAmount }: Switch): Promise<Wire['Session']> {
  return call(
    api.GET('/client/copy/switchUser', {
      params: {
        query: {
          accountType: mock ? MOCK : REAL,
          ...(accountId ? { accountId } : {}),
          ...(initAmount ? { initAmount } : {}),
        },
      },
    }),
  )
}

/** Refetches everything that names the accounts or shows their rules. */
function refreshAccounts(client: QueryClient): void {
  for (const key of ['accounts', 'user-info', 'history'])
    void client.invalidateQueries({ queryKey: [key] })
}

/** Opens another account. */
export function useOpenAccount() {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['OpenAccount'], write) =>
      call(api.POST('/client/user/openAccount', { body, ...idempotent(write) })),
    onAnswer: () => refreshAccounts(client),
  })
}

export type AccountEdit = { account: Account; name: string; leverageCeiling: number }

/** Sets an account's name and leverage ceiling, as far as they are new. */
export function useEditAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ account, name, leverageCeiling }: AccountEdit) => {
      const { accountId } = account
      if (name !== account.name)
        await call(api.POST('/client/user/renameAccount', { body: { accountId, name } }))
      if (leverageCeiling !== account.leverageCeiling)
        await call(
          api.POST('/client/user/setAccountLeverage', { body: { accountId, leverageCeiling } }),
        )
    },
    onSettled: () => refreshAccounts(client),
  })
}
