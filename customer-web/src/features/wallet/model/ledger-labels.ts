import type { TextKey } from '@/i18n/i18n'

/** Kinds of entries with a text of their own. */
export const kinds = [
  'deposit',
  'deposit_reversed',
  'withdrawal',
  'withdrawal_returned',
  'withdrawal_bounced',
  'trade_open',
  'trade_close',
  'swap',
  'dividend',
  'adjustment',
  'transfer',
  'exchange',
  'rebate',
  'rebate_reversed',
  'bonus_granted',
  'bonus_expired',
  'bonus_taken_back',
  'bonus_given_up',
  'mock_top_up',
  'negative_balance_protection',
] as const

/** The text key of a kind; unknown kinds get a general text. */
export function kindKey(kind: string): TextKey {
  const known = kinds.find((one) => one === kind)
  return known ? `ledger.kind.${known}` : 'ledger.kind.other'
}

export type Cause = {
  of: 'deposit' | 'withdrawal' | 'order' | 'position' | 'adjustment' | 'transfer' | 'exchange'
  id: number
}

/** Parses the cause of an entry; null for causes without a number. */
export function readCause(cause: string): Cause | null {
  const match =
    /^(deposit|withdrawal|order|position|adjustment|transfer|exchange):(\d{1,15})$/.exec(cause)
  return match && { of: match[1] as Cause['of'], id: Number(match[2]) }
}
