import { beforeEach, expect, test } from 'vitest'
import { nextTableSort, sortRows, visibleColumns } from './table-columns'

const columns = [
  { key: 'product' },
  { key: 'stop', priority: 1 },
  { key: 'margin', priority: 3 },
  { key: 'commission', priority: 4 },
  { key: 'swap', priority: 5 },
  { key: 'costs', priority: 2, folds: ['commission', 'swap'] },
]
const keys = (choice: Record<string, boolean>, dropped: number) =>
  visibleColumns(columns, choice, dropped).map(({ key }) => key)

beforeEach(() => localStorage.clear())

test('with room everything shows, and nothing is folded', () => {
  expect(keys({}, 0)).toEqual(['product', 'stop', 'margin', 'commission', 'swap'])
})

test('the least important column goes first, and its fold stands for all it folds', () => {
  expect(keys({}, 1)).toEqual(['product', 'stop', 'margin', 'costs'])
  expect(keys({}, 3)).toEqual(['product', 'stop', 'costs'])
})

test('a column without a priority stays when everything else has gone', () => {
  expect(keys({}, 99)).toEqual(['product'])
})

test('a column the trader switched on stays, one switched off does not come back', () => {
  expect(keys({ swap: true }, 99)).toEqual(['product', 'swap'])
  expect(keys({ stop: false }, 0)).toEqual(['product', 'margin', 'commission', 'swap'])
  expect(keys({ commission: false, swap: false }, 0)).not.toContain('costs')
})

test('an always shown column cannot be switched off', () => {
  expect(keys({ product: false }, 0)).toContain('product')
})

test('a head sorts upwards, downwards, and then not', () => {
  const first = nextTableSort(null, 'lots')
  expect(first).toEqual({ key: 'lots', down: false })
  const second = nextTableSort(first, 'lots')
  expect(second).toEqual({ key: 'lots', down: true })
  expect(nextTableSort(second, 'lots')).toBeNull()
  expect(nextTableSort(second, 'price')).toEqual({ key: 'price', down: false })
})

test('rows sort by their value, those without one last both ways, equal ones as they were', () => {
  const rows = [
    { id: 1, at: 5n },
    { id: 2, at: null },
    { id: 3, at: -7n },
    { id: 4, at: 5n },
  ]
  const ids = (down: boolean) => sortRows(rows, ({ at }) => at, down).map(({ id }) => id)
  expect(ids(false)).toEqual([3, 1, 4, 2])
  expect(ids(true)).toEqual([1, 4, 3, 2])
})
