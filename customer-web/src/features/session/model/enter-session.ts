import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Wire } from '@/api/client'
import type { StoredUser } from '@/storage/entries'
import { toStoredUser } from '@/storage/mask-name'
import { endOtherSession } from '../api/log-out'
import { startSession, useSession } from './session-store'

let lastUserId = useSession.getState().user?.userId ?? null

useSession.subscribe(({ user }) => {
  if (user) lastUserId = user.userId
})

/** The part of the server's answer that the browser may keep. */
export function userOf({ user }: Wire['Session']): StoredUser {
  return toStoredUser({ ...user, userId: String(user.userId) })
}

/**
 * Makes an answered session the app's own and ends the one of before, a guest's or another trader's. Data of the trader who was here before is forgotten; the
 * same trader's is fetched anew in place, so that a page under the log-in dialog keeps what was typed.
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
