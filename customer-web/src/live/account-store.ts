import { create } from 'zustand'
import type { Wire } from '@/api/client'

export type AccountState = {
  /** Null until the first answer. */
  statistics: Wire['Statistics'] | null
  positions: Wire['Position'][] | null
}

/** The account's current value from the server, pushed while prices move. */
export const useAccount = create<AccountState>(() => ({ statistics: null, positions: null }))

export function clearAccount(): void {
  useAccount.setState({ statistics: null, positions: null })
}
