import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { useSession } from './session-store'

/** The logged-in trader and their account settings. */
export const userInfoQuery = queryOptions({
  queryKey: ['user-info'],
  queryFn: () => call(api.GET('/client/user/findUserInfo')),
})

/** A part of the trader's info; undefined for visitors and until loaded. */
export function useInfo<T>(select: (info: Wire['UserInfo'] | null) => T): T | undefined {
  const enabled = useSession(({ token }) => token !== null)
  const { data } = useQuery({ ...userInfoQuery, enabled, select })
  return enabled ? data : undefined
}

const capsOf = (info: Wire['UserInfo'] | null) => info?.leverageCaps
const ceilingOf = (info: Wire['UserInfo'] | null) => info?.leverageCeiling
const closesAtOf = (info: Wire['UserInfo'] | null) => info?.closesAt
const nettingOf = (info: Wire['UserInfo'] | null) => info?.netting

/** The maximum leverage by product class in the trader's country. */
export const useLeverageCaps = () => useInfo(capsOf)

/** The highest leverage of the account's orders; undefined for none. */
export const useLeverageCeiling = () => useInfo(ceilingOf)

/** Whether the trader's limits are known. A visitor has none. */
export function useKnowsLimits(): boolean {
  const visitor = useSession(({ token }) => token === null)
  const caps = useLeverageCaps()
  return visitor || caps !== undefined
}

/** Whether the account is in netting mode, with one position per product. */
export const useNetting = () => useInfo(nettingOf)

/** When the account closes at the trader's request; undefined while it stays open. */
export const useClosesAt = () => useInfo(closesAtOf)
