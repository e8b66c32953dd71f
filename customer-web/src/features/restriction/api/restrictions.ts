import { useQuery } from '@tanstack/react-query'
import type { Wire } from '@/api/client'
import { serverNow } from '@/api/request-headers'
import { userInfoQuery } from '@/session/info-query'
import { useSession } from '@/session/session-store'

/** What staff have restricted, why, and until when. */
export type Restriction = Wire['Restriction']

const none: readonly Restriction[] = []
const restrictionsOf = (info: Wire['UserInfo'] | null) => info?.restrictions ?? none

/** The trader's current restrictions, of one kind or all. */
export function useRestrictions(kind?: Restriction['kind']): readonly Restriction[] {
  const enabled = useSession(({ token }) => token !== null)
  const { data = none } = useQuery({ ...userInfoQuery, enabled, select: restrictionsOf })
  if (!enabled || data.length === 0) return none
  const now = serverNow()
  return data.filter(
    (one) => (!kind || one.kind === kind) && (one.until === undefined || one.until > now),
  )
}
