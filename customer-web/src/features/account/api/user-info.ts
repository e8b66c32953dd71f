import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { userInfoQuery } from '@/session/info-query'
import { updateUser, useSession } from '@/session/session-store'
import { toStoredUser } from '@/storage/mask-name'

/** The logged-in trader. The stored user follows the answer. */
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
