import { expect, test } from 'vitest'
import { runningTotals, totalsOf } from './history-totals'

test('net is the profit after commission, swap and dividends', () => {
  const list = [
    { profit: '12.5', commission: '0.7', swap: '-0.1', dividends: '0' },
    { profit: '-2.500001', commission: '0.3', swap: '0', dividends: '-1' },
  ]
  expect(totalsOf(list)).toEqual({
    profit: '9.999999',
    commission: '1.000000',
    swap: '-0.100000',
    net: '7.899999',
  })
  expect(totalsOf([]).net).toBe('0.000000')
})

test('running totals begin at zero and are exact', () => {
  expect(runningTotals(['0.1', '0.2', '-1'])).toEqual(['0', '0.100000', '0.300000', '-0.700000'])
  expect(runningTotals([])).toEqual(['0'])
})
