import type { Cause } from '@/features/wallet/model/ledger-labels'
import { hasRoute } from '../routes'

export const LEDGER_PATH = '/ledger'

const pathsOf: Partial<Record<Cause['of'], (id: number) => string>> = {
  order: () => '/historyOrders',
  deposit: (id) => `/deposite?id=${id}`,
  withdrawal: (id) => `/withdraw?id=${id}`,
}

/** The page that shows a cause. Causes with a receipt or a sheet of their own open there instead. */
export function causePath({ of, id }: Cause): string | undefined {
  const path = pathsOf[of]?.(id)
  return path && hasRoute(path.split('?')[0] ?? '') ? path : undefined
}
