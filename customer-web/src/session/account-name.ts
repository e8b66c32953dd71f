import type { Wire } from '@/api/client'
import { useInfo } from './info-query'

const nameOf = (info: Wire['UserInfo'] | null) =>
  info ? { number: info.accountNumber, name: info.accountName ?? '' } : undefined

/** The number of the account in use, and what the trader calls it. */
export const useAccountName = () => useInfo(nameOf)

/** What the account in use is called where there is little room: by the trader, or its kind with the number after the first; `named` is whether the trader did. */
export function useAccountLabel(kind: string): { label: string; named: boolean } {
  const own = useAccountName()
  if (own?.name) return { label: own.name, named: true }
  return { label: own && own.number > 1 ? `${kind} ${own.number}` : kind, named: false }
}
