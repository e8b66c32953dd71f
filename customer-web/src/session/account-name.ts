import type { TFunction } from 'i18next'
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
  return { label: numbered(kind, own?.number ?? 1), named: false }
}

/** What a trading account is called: the trader's own name, or whether it is real or demo, with its number after the first. */
export function accountName(
  t: TFunction,
  { name, number }: { name: string; number: number },
  demo: boolean,
): string {
  return name || numbered(t(demo ? 'session.type.demo' : 'session.type.real'), number)
}

/** The number of an account follows its kind, but not for the first one. */
const numbered = (kind: string, number: number) => (number > 1 ? `${kind} ${number}` : kind)
