import { hasRoute } from '../routes'

const PATH = '/deposite'

export const newDepositPath = PATH
export const depositHistoryPath = `${PATH}?tab=history`

export function depositPath(id: number): string {
  return `${PATH}?id=${id}`
}

export function depositProofPath(id: number): string {
  return `${depositPath(id)}&step=proof`
}

/** The deposit id in the address; null if absent. */
export function depositIdIn(search: URLSearchParams): number | null {
  const text = search.get('id') ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

function existing(path: string): string | undefined {
  return hasRoute(path) ? path : undefined
}

/** Paths a deposit links to; undefined if the screen doesn't exist. */
export function depositPaths() {
  return {
    wallet: existing('/mywallet'),
    support: existing('/kefu'),
    verify: existing('/authenticate'),
    switchAccount: existing('/switchAccount'),
    register: existing('/register'),
  }
}
