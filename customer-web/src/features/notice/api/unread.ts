import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, call, type Wire } from '@/api/client'
import { useSession } from '@/session/session-store'
import { CONTENT } from './reader'

export type Unread = Wire['Unread']

const NOTHING: Unread = { notices: 0, messages: 0, total: 0 }

const keyOf = (userId: string | undefined) => [CONTENT, 'unread', userId ?? '']

/** The trader's unread counts; zero for visitors and while unknown. */
export function useUnread(): Unread {
  const userId = useSession(({ user }) => user?.userId)
  const loggedIn = useSession(({ token }) => token !== null)
  const { data } = useQuery({
    queryKey: keyOf(userId),
    queryFn: () => call(api.GET('/client/siteMail/findUnreadCount')),
    enabled: loggedIn,
    staleTime: 60_000,
  })
  return (loggedIn && data) || NOTHING
}

/** Stores the counts returned by a write. */
export function useSetUnread(): (unread: Unread) => void {
  const client = useQueryClient()
  return useCallback(
    (unread) => client.setQueryData(keyOf(useSession.getState().user?.userId), unread),
    [client],
  )
}
