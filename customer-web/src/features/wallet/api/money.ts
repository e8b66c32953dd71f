import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/features/session/model/session-store'
import { applyAccount, onAccountEvent } from '@/live/live'

/** Data of past deals and money: refetched together when something was booked. */
const KEY = 'history'

/** Whose data it is; another account has other data. */
export function useAccountKey(): string {
  return useSession(({ user }) => `${user?.userId ?? ''}:${user?.type ?? ''}`)
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

/** Asks for equity and margin; the answer goes where the pushed ones go, so the newest is shown. */
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

/** Fetches everything about money anew when a fill or a credit was booked. */
export function useMoneyEvents(): void {
  const client = useQueryClient()
  useEffect(() => onAccountEvent(() => void refreshMoney(client)), [client])
}

export function refreshMoney(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}
