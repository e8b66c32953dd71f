import { callFile, type TableFile } from '@/api/call-file'
import { api } from '@/api/client'
import type { operations } from '@/api/schema'

type Query<Name extends 'exportHistory' | 'exportFills' | 'exportOrders' | 'exportLedger'> =
  NonNullable<operations[Name]['parameters']['query']>

/** Exports closed positions. */
export function exportHistory(query: Query<'exportHistory'>): Promise<TableFile> {
  return callFile(api.GET('/client/trade/exportHistory', { params: { query }, parseAs: 'blob' }))
}

/** Exports fills. */
export function exportFills(query: Query<'exportFills'>): Promise<TableFile> {
  return callFile(api.GET('/client/trade/exportFills', { params: { query }, parseAs: 'blob' }))
}

/** Exports orders. */
export function exportOrders(query: Query<'exportOrders'>): Promise<TableFile> {
  return callFile(api.GET('/client/trade/exportOrders', { params: { query }, parseAs: 'blob' }))
}

/** Exports the account's ledger entries. */
export function exportLedger(query: Query<'exportLedger'>): Promise<TableFile> {
  return callFile(api.GET('/client/wallet/exportLedger', { params: { query }, parseAs: 'blob' }))
}

/** Exports the rebates of single trades. */
export function exportRebates(): Promise<TableFile> {
  return callFile(api.GET('/client/user/exportRebates', { parseAs: 'blob' }))
}

/** Exports the security events. */
export function exportSecurityEvents(): Promise<TableFile> {
  return callFile(api.GET('/client/user/exportSecurityEvents', { parseAs: 'blob' }))
}
