import { create } from 'zustand'
import type { Wire } from '@/api/client'

export type AccountState = {
  /** Null until the first answer. */
  statistics: Wire['Statistics'] | null
  positions: Wire['Position'][] | null
}

/** What the account is worth now, as the server says it: pushed while prices move. */
export const useAccount = create<AccountState>(() => ({ statistics: null, positions: null }))

export function clearAccount(): void {
  useAccount.setState({ statistics: null, positions: null })
}
