import { expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import {
  amountProblem,
  feeOf,
  maxWithdrawal,
  neededByPositions,
  netOf,
  obstaclesOf,
  wholeCents,
} from './sums'

const terms: Wire['WithdrawTerms'] = {
  currency: 'USDT',
  balance: '1000',
  bonus: '0',
  available: '900',
  minimum: '10',
  maximum: '5000',
  dayLimit: '2000',
  dayLeft: '700',
  monthLimit: '20000',
  monthLeft: '8000',
  feeRate: '0.5',
  ways: [],
  verified: true,
}
const cost = { kind: 'standard', feeRate: '0.5', fee: '2' } as const

test('the fee is a share, rounded up, and a sum; the rest arrives', () => {
  expect(feeOf('100', cost)).toBe('2.500000')
  expect(feeOf('0.000001', cost)).toBe('2.000001')
  expect(feeOf('100', { ...cost, feeRate: '0', fee: '0' })).toBe('0.000000')
  expect(netOf('100', cost)).toBe('97.500000')
  expect(netOf('2.01', cost)).toBeNull()
})

test('a bank pays whole cents, and the fee takes the rest', () => {
  const bank = { kind: 'bank', feeRate: '0.333333', fee: '0' } as const
  expect(feeOf('100.000001', bank)).toBe('0.340001')
  expect(netOf('100.000001', bank)).toBe('99.660000')
  expect(netOf('100.000001', { ...bank, kind: 'standard' })).toBe('99.666667')
  expect(netOf('100', { ...bank, feeRate: '0' })).toBe('100.000000')
})

test('the most is the narrowest of all bounds', () => {
  expect(maxWithdrawal(terms)).toBe('700.000000')
  expect(maxWithdrawal({ ...terms, dayLeft: '2000' })).toBe('900.000000')
  expect(maxWithdrawal({ ...terms, monthLeft: '5.5' })).toBe('5.500000')
})

test('the most is entered in whole cents, never above it', () => {
  expect(wholeCents('5398.919800')).toBe('5398.91')
  expect(wholeCents('40.500000')).toBe('40.5')
  expect(wholeCents('100.000000')).toBe('100')
  expect(wholeCents('0.009999')).toBe('0')
})

test('what positions need is never less than nothing', () => {
  expect(neededByPositions(terms)).toBe('100.000000')
  expect(neededByPositions({ ...terms, available: '1001' })).toBe('0.000000')
})

test('an amount is judged by each bound, and a good one passes', () => {
  const problem = (amount: string, more: Partial<typeof terms> = {}, fee = '2') =>
    amountProblem(amount, { ...terms, ...more }, { ...cost, fee })
  expect(problem('')).toBe('missing')
  expect(problem('9.999999')).toBe('below')
  expect(problem('900.000001', { dayLeft: '2000' })).toBe('available')
  expect(problem('60', { maximum: '50' })).toBe('above')
  expect(problem('700.000001')).toBe('day')
  expect(problem('600', { monthLeft: '500' })).toBe('month')
  expect(problem('10', {}, '10')).toBe('fee')
  expect(problem('700')).toBeNull()
  expect(problem('10')).toBeNull()
})

test('every obstacle is named at once, and none where there is none', () => {
  expect(obstaclesOf(terms, true)).toEqual([])
  expect(obstaclesOf(terms, undefined)).toEqual([])
  expect(
    obstaclesOf({ ...terms, verified: false, heldUntil: 1, available: '0', dayLeft: '0' }, false),
  ).toEqual(['unverified', 'held', 'password', 'empty'])
  expect(obstaclesOf({ ...terms, dayLeft: '9' }, true)).toEqual(['limit'])
  expect(obstaclesOf({ ...terms, verified: false, dayLeft: '0' }, true)).toEqual(['unverified'])
})
