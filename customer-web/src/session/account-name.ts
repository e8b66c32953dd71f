import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { useInfo } from './info-query'
import { useIsDemo } from './session-store'

const nameOf = (info: Wire['UserInfo'] | null) =>
  info ? { number: info.accountNumber, name: info.accountName ?? '' } : undefined

/** The number of the account in use, and what the trader calls it. */
export const useAccountName = () => useInfo(nameOf)

/** What the account in use is called where there is little room: by the trader, or a shorter kind with the number after the first; `named` is whether the trader did. `full` is its name anywhere else. */
export function useAccountLabel(kind: string): { label: string; named: boolean; full: string } {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const own = useAccountName() ?? { name: '', number: 1 }
  const full = accountName(t, own, demo)
  if (own.name) return { label: own.name, named: true, full }
  return { label: numbered(kind, own.number), named: false, full }
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
