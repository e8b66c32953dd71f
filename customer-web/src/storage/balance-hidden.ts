import { create } from 'zustand'

const KEY = 'balanceHidden'

function read(): boolean {
  try {
    return sessionStorage.getItem(KEY) === '1'
  } catch {
    return false
  }
}

/** Shown in place of a hidden amount. */
export const HIDDEN_AMOUNT = '••••••'

/** Whether amounts are hidden; lasts until this tab is closed. */
export const useBalanceHidden = create<{ hidden: boolean }>(() => ({ hidden: read() }))

export function setBalanceHidden(hidden: boolean): void {
  useBalanceHidden.setState({ hidden })
  try {
    sessionStorage.setItem(KEY, hidden ? '1' : '0')
  } catch {
    // It then lasts until the page is left.
  }
}
