import { expect, test } from 'vitest'
import { formatFixed } from './amount'
import { decimalsOf, exactDecimals } from './column'

test('a column of USDT or USD has two decimals, whatever its amounts have', () => {
  expect(decimalsOf('USDT', ['1500', '-0.0678', '12.345678'])).toBe(2)
  expect(decimalsOf('USD', ['0.001'])).toBe(2)
})

test('a column of another currency has the decimals of its longest amount, without zeros at its end', () => {
  expect(decimalsOf('BTC', ['1500', '0.351', '-2.100000'])).toBe(3)
})

test('a column of whole amounts, or of none, has two', () => {
  expect(decimalsOf('ETH', ['1500', '0', undefined, 'nothing'])).toBe(2)
  expect(decimalsOf('ETH', [])).toBe(2)
})

test('no digit of a coin is lost in its column', () => {
  const column = ['1500', '0.00123456', '12.5']
  const shown = column.map((amount) => formatFixed(amount, decimalsOf('BTC', column)))
  expect(shown).toEqual(['1,500.00000000', '0.00123456', '12.50000000'])
})

test('an exact column of USDT keeps all digits too', () => {
  expect(exactDecimals(['6500', '-0.0678', '5399.932200'])).toBe(4)
})
