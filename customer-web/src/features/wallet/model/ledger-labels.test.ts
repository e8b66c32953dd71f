import { expect, test } from 'vitest'
import { kindKey, readCause } from './ledger-labels'

test('a kind has its word, an unknown one a general word', () => {
  expect(kindKey('trade_close')).toBe('ledger.kind.trade_close')
  expect(kindKey('deposit_reversed')).toBe('ledger.kind.deposit_reversed')
  expect(kindKey('swap')).toBe('ledger.kind.swap')
  expect(kindKey('adjustment')).toBe('ledger.kind.adjustment')
  expect(kindKey('dividend')).toBe('ledger.kind.dividend')
  expect(kindKey('chargeback')).toBe('ledger.kind.other')
})

test('deposits, withdrawals, orders, positions, transfers and exchanges are causes that can be shown', () => {
  expect(readCause('deposit:50001')).toEqual({ of: 'deposit', id: 50001 })
  expect(readCause('withdrawal:7')).toEqual({ of: 'withdrawal', id: 7 })
  expect(readCause('order:7')).toEqual({ of: 'order', id: 7 })
  expect(readCause('adjustment:90001')).toEqual({ of: 'adjustment', id: 90001 })
  expect(readCause('position:12')).toEqual({ of: 'position', id: 12 })
  expect(readCause('transfer:90001')).toEqual({ of: 'transfer', id: 90001 })
  expect(readCause('exchange:70001')).toEqual({ of: 'exchange', id: 70001 })
  expect(readCause('account:1002')).toBeNull()
  expect(readCause('deposit:x')).toBeNull()
  expect(readCause('')).toBeNull()
})
