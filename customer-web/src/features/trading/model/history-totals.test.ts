import { expect, test } from 'vitest'
import { totalsOf } from './history-totals'

test('net is the profit after commission and swap', () => {
  const list = [
    { profit: '12.5', commission: '0.7', swap: '-0.1' },
    { profit: '-2.500001', commission: '0.3', swap: '0' },
  ]
  expect(totalsOf(list)).toEqual({
    profit: '9.999999',
    commission: '1.000000',
    swap: '-0.100000',
    net: '8.899999',
  })
  expect(totalsOf([]).net).toBe('0.000000')
})
