import { describe, expect, test } from 'vitest'
import { sampleProduct } from '@/testing/market-sample'
import { filterInUnit, priceOf, riskReward, textOf } from './protection-unit'

const euro = sampleProduct({})
const read = () => ({ bid: '1.15800', ask: '1.15800' })
const bought = { side: 'buy', lots: '0.1', open: '1.15800' } as const
const sold = { ...bought, side: 'sell' } as const

describe('a value in a unit and its price', () => {
  test.each([
    ['price', 'stopLoss', bought, '1.15700', '1.15700'],
    ['distance', 'stopLoss', bought, '10.0', '1.15700'],
    ['distance', 'takeProfit', bought, '20.0', '1.16000'],
    ['distance', 'stopLoss', sold, '10.0', '1.15900'],
    ['percent', 'stopLoss', bought, '0.50', '1.15221'],
    ['amount', 'stopLoss', bought, '\u221210.00', '1.15700'],
    ['amount', 'takeProfit', sold, '20.00', '1.15600'],
    ['distance', 'stopLoss', bought, '\u22125.0', '1.15850'],
  ] as const)('%s of a %s', (unit, kind, what, text, price) => {
    expect(priceOf(unit, kind, euro, what, text, read)).toBe(price)
    expect(textOf(unit, kind, euro, what, price, read)).toBe(text)
  })

  test('an amount without a sign is a loss of a stop loss, and a gain of a take profit', () => {
    expect(priceOf('amount', 'stopLoss', euro, bought, '10', read)).toBe('1.15700')
    expect(priceOf('amount', 'takeProfit', euro, bought, '10', read)).toBe('1.15900')
  })

  test('what is not a number, and a price below zero, are none', () => {
    expect(priceOf('distance', 'stopLoss', euro, bought, '', read)).toBeNull()
    expect(priceOf('percent', 'stopLoss', euro, bought, '100', read)).toBeNull()
    expect(priceOf('distance', 'stopLoss', euro, { ...bought, open: '' }, '10', read)).toBeNull()
    expect(textOf('percent', 'stopLoss', euro, bought, '', read)).toBe('')
  })

  test('a field keeps the decimals of its unit', () => {
    expect(filterInUnit('distance', euro, '-12.34')).toBe('\u221212.3')
    expect(filterInUnit('percent', euro, '0.505')).toBe('0.50')
    expect(filterInUnit('price', euro, '-1.1')).toBe('')
  })
})

describe('risk and reward', () => {
  test('is their ratio to one decimal', () => {
    expect(riskReward('-12', '24')).toEqual({ risk: '12.000000', reward: '24.000000', ratio: '2' })
    expect(riskReward('-12', '18')?.ratio).toBe('1.5')
  })

  test.each([
    ['12', '24'],
    ['-12', '-1'],
    ['0', '24'],
    [null, '24'],
    ['-12', null],
  ])('is none of %s and %s', (loss, gain) => expect(riskReward(loss, gain)).toBeNull())
})
