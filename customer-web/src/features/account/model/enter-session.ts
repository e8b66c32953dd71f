import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Wire } from '@/api/client'
import { startSession, useSession } from '@/session/session-store'
import type { StoredUser } from '@/storage/entries'
import { toStoredUser } from '@/storage/mask-name'
import { endOtherSession } from '../api/log-out'

let lastUserId = useSession.getState().user?.userId ?? null

useSession.subscribe(({ user }) => {
  if (user) lastUserId = user.userId
})

/** The part of the user that the browser may store. */
export function userOf({ user }: Wire['Session']): StoredUser {
  return toStoredUser({ ...user, userId: String(user.userId) })
}

/**
 * Makes a session the app's own and ends the previous one. Another user's data is cleared; the same user's data is
 * refetched in place, so that a page under the log-in dialog keeps its inputs.
 */
export function useEnterSession(): (session: Wire['Session']) => void {
  const client = useQueryClient()
  return useCallback(
    (session) => {
      const user = userOf(session)
      const same = lastUserId === user.userId
      const before = useSession.getState().token
      if (before) endOtherSession(before)
      startSession(session.token, user)
      if (same) void client.invalidateQueries()
      else void client.resetQueries()
    },
    [client],
  )
}
