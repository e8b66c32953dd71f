import { describe, expect, test } from 'vitest'
import { amountSchema, isOneToOne, isZeroFee, limitsOf, quickAmounts, sumsOf } from './limits'

const channel = { rechargeMin: '10', rechargeMax: '1000000' }
const config = (rechargeMin: string, rechargeMax: string) => [
  {
    currencyMedium: 'usdt_usdt',
    rechargeMin,
    rechargeMax,
    withdrawMin: '1',
    withdrawMax: '2',
  },
]

test('quick amounts keep to the limits', () => {
  expect(quickAmounts({ min: '10', max: '1000' })).toEqual(['100', '500', '1000'])
  expect(quickAmounts({ min: '100.01', max: '999.99' })).toEqual(['500'])
  expect(quickAmounts({ min: '2000', max: '9000' })).toEqual([])
})

describe('limits', () => {
  test('are the narrower ones of channel and currency', () => {
    expect(limitsOf(channel, config('50', '2000000'))).toEqual({ min: '50', max: '1000000' })
    expect(limitsOf(channel, config('5', '9000'))).toEqual({ min: '10', max: '9000' })
  })

  test('are the defaults of the specification where the currency is not configured', () => {
    const open = { rechargeMin: '0', rechargeMax: '99999999999' }
    const wanted = { min: '0.0001', max: '1000000000' }
    expect(limitsOf(open, undefined)).toEqual(wanted)
    expect(limitsOf(open, [])).toEqual(wanted)
    expect(
      limitsOf(open, [{ ...config('1', '2')[0], currencyMedium: 'btc_btc' } as never]),
    ).toEqual(wanted)
  })
})

describe('an amount', () => {
  const limits = { min: '10', max: '1000.5' }
  test.each([
    ['', 'missing'],
    ['0', 'missing'],
    ['0.000000', 'missing'],
    ['9.999999', 'below'],
    ['10', undefined],
    ['1000.5', undefined],
    ['1000.500001', 'above'],
    ['90071992547409931', 'above'],
  ] as const)('of %s is %s', (amount, problem) => {
    const { error } = amountSchema(limits).safeParse(amount)
    expect(error?.issues[0]?.message).toBe(problem && `deposit.amount.${problem}`)
  })
})

test('only dollars are credited one to one', () => {
  expect(['USD', 'USDT', 'EUR'].map(isOneToOne)).toEqual([true, true, false])
})

test('the fee is a share of what arrives, rounded up, and the rest is credited', () => {
  expect(sumsOf('100.000001', '0.5')).toEqual({ fee: '0.500001', net: '99.500000', free: false })
  expect(sumsOf('100', '0')).toEqual({ fee: '0.000000', net: '100.000000', free: true })
  expect(['0', '0.000000', '0.1'].map(isZeroFee)).toEqual([true, true, false])
})
