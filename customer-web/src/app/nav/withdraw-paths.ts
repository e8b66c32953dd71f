import { hasRoute } from '../routes'
import { transferToTradePath, WALLET_PATH } from './mywallet-paths'

const PATH = '/withdraw'

export const newWithdrawalPath = PATH
export const withdrawalHistoryPath = `${PATH}?tab=history`
export const addBankPath = `${PATH}?step=account`
export const addAddressPath = '/addAddress'

export function withdrawalPath(id: number): string {
  return `${PATH}?id=${id}`
}

/** The withdrawal id in the address; null if absent. */
export function withdrawalIdIn(search: URLSearchParams): number | null {
  const text = search.get('id') ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

function existing(path: string): string | undefined {
  return hasRoute(path) ? path : undefined
}

/** Paths a withdrawal links to; undefined if the screen doesn't exist. */
export function withdrawalPaths() {
  return {
    support: existing('/kefu'),
    verify: existing('/authenticate'),
    payment: existing('/modifyPayPassword'),
    transfer: existing(WALLET_PATH) && transferToTradePath,
    switchAccount: existing('/switchAccount'),
    register: existing('/register'),
  }
}
