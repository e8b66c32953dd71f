import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, call } from '@/api/client'
import { toStoredUser } from '@/storage/mask-name'
import { updateUser, useSession } from '../model/session-store'

/** Who is logged in. What the browser keeps of the trader follows the answer. */
export function useUserInfo() {
  const token = useSession((session) => session.token)
  const query = useQuery({
    queryKey: ['user-info'],
    queryFn: () => call(api.GET('/client/user/findUserInfo')),
    enabled: token !== null,
  })
  const { data } = query
  useEffect(() => {
    if (data && useSession.getState().token) {
      updateUser(toStoredUser({ ...data, userId: String(data.userId) }))
    }
  }, [data])
  return query
}
