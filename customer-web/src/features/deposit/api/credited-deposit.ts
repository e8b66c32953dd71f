import { useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'

const SIZE = 20

/** Reports whether one of the trader's latest deposits was credited. */
export function useCreditedDeposit() {
  return useQuery({
    queryKey: ['deposits', 'credited'],
    queryFn: async () => {
      const query = { page: 1, size: SIZE }
      const { list } = await call(
        api.GET('/client/recharge/findRechargePage', { params: { query } }),
      )
      return list.some(({ state }) => state === 'credited')
    },
  })
}
