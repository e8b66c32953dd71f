import { expect, test } from 'vitest'
import { formatFixed } from './amount'
import { decimalsOf } from './column'

test('a column has the decimals of its longest amount, without zeros at its end', () => {
  expect(decimalsOf(['1500', '0.351', '-2.100000'])).toBe(3)
})

test('a column of whole amounts, or of none, has two', () => {
  expect(decimalsOf(['1500', '0', undefined, 'nothing'])).toBe(2)
  expect(decimalsOf([])).toBe(2)
})

test('no digit of an amount is lost in its column', () => {
  const column = ['1500', '0.00123456', '12.5']
  const shown = column.map((amount) => formatFixed(amount, decimalsOf(column)))
  expect(shown).toEqual(['1,500.00000000', '0.00123456', '12.50000000'])
})
