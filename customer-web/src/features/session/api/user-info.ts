import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call, type Wire } from '@/api/client'
import { toStoredUser } from '@/storage/mask-name'
import { updateUser, useSession } from '../model/session-store'

/** Who is logged in, and on which terms. */
export const userInfoQuery = queryOptions({
  queryKey: ['user-info'],
  queryFn: () => call(api.GET('/client/user/findUserInfo')),
})

/** What the server says of the trader, or a part of it; undefined for a guest and until it is there. */
function useInfo<T>(select: (info: Wire['UserInfo']) => T): T | undefined {
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

/** Who is logged in. What the browser keeps of the trader follows the answer. */
export function useUserInfo() {
  const token = useSession((session) => session.token)
  const query = useQuery({ ...userInfoQuery, enabled: token !== null })
  const { data } = query
  useEffect(() => {
    if (data && useSession.getState().token) {
      updateUser(toStoredUser({ ...data, userId: String(data.userId) }))
    }
  }, [data])
  return query
}
