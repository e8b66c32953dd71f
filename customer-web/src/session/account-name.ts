import type { Wire } from '@/api/client'
import { useInfo } from './info-query'

const nameOf = (info: Wire['UserInfo'] | null) =>
  info ? { number: info.accountNumber, name: info.accountName ?? '' } : undefined

/** The number of the account in use, and what the trader calls it. */
export const useAccountName = () => useInfo(nameOf)
