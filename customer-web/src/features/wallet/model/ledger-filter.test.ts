import { expect, test } from 'vitest'
import { isFiltered, toLedgerQuery } from './ledger-filter'

test('the last day is asked for to its end; what is not wished is not asked', () => {
  expect(toLedgerQuery({}, 'utc')).toEqual({})
  expect(toLedgerQuery({ kind: 'deposit', from: undefined }, 'utc')).toEqual({ kind: 'deposit' })
  expect(toLedgerQuery({ accountId: 103 }, 'utc')).toEqual({ accountId: 103 })
  expect(isFiltered({ accountId: 103 })).toBe(false)
  expect(toLedgerQuery({ from: '2026-11-20', to: '2026-11-21' }, 'utc')).toEqual({
    startTime: Date.UTC(2026, 10, 20),
    endTime: Date.UTC(2026, 10, 22),
  })
})

test('a filter narrows as soon as one wish is set', () => {
  expect(isFiltered({})).toBe(false)
  expect(isFiltered({ kind: undefined, from: undefined })).toBe(false)
  expect(isFiltered({ to: '2026-11-21' })).toBe(true)
})
