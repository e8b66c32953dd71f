import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call } from '@/api/client'
import { applyAccount, onAccountEvent } from '@/live/live'
import { useSession } from '@/session/session-store'

/** History and money queries, which are refetched together after a booking. */
const KEY = 'history'

/** The key of the account's data, since another account has other data. */
export function useAccountKey(): string {
  return useSession(({ user }) => `${user?.userId ?? ''}:${user?.accountId ?? ''}`)
}

/** The parts of the balance: cash, bonus, held, deficit. */
export function useMoney() {
  return useQuery({
    queryKey: [KEY, 'money', useAccountKey()],
    queryFn: () =>
      call(
        api.POST('/client/userMoney/findUserMoneyOnly', {
          body: { accountType: 'contract', currencyType: 'USDT' },
        }),
      ),
  })
}

/** Fetches equity and margin; the answer is stored like the pushed values, so the newest one is shown. */
export function useStatisticsQuery() {
  return useQuery({
    queryKey: [KEY, 'statistics', useAccountKey()],
    queryFn: async () => {
      const statistics = await call(api.GET('/client/trade/findStatistics'))
      applyAccount({ statistics })
      return statistics
    },
  })
}

/** Refetches everything about money when a fill or a credit was booked. */
export function useMoneyEvents(): void {
  const client = useQueryClient()
  useEffect(() => onAccountEvent(() => void refreshMoney(client)), [client])
}

export function refreshMoney(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}
