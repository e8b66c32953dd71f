import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { useSession } from '../model/session-store'

/** Who is logged in, and on which terms. */
export const userInfoQuery = queryOptions({
  queryKey: ['user-info'],
  queryFn: () => call(api.GET('/client/user/findUserInfo')),
})

/** A part of what the server says of the trader; undefined for a guest and until it is there. */
function useInfo<T>(select: (info: Wire['UserInfo'] | null) => T): T | undefined {
  const enabled = useSession(({ token }) => token !== null)
  const { data } = useQuery({ ...userInfoQuery, enabled, select })
  return enabled ? data : undefined
}

const capsOf = (info: Wire['UserInfo'] | null) => info?.leverageCaps
const nettingOf = (info: Wire['UserInfo'] | null) => info?.netting

/** The highest leverage by class of products in the trader's country. */
export const useLeverageCaps = () => useInfo(capsOf)

/** Whether the account keeps one position a product. */
export const useNetting = () => useInfo(nettingOf)
