import { expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import { isSmall, totalIn, totalOf } from './total'

const kept: Wire['WalletAccount'] = {
  accountId: 4,
  kind: 'funding',
  number: 1,
  name: '',
  currency: 'BTC',
  scale: 8,
  balance: '0.5',
  bonus: '0',
  deficit: '0',
  available: '0.5',
  valueUsdt: '45000.000001',
}

test('the total is what the account to trade with is worth now, and what is kept', () => {
  expect(totalOf('-3.5', [{ ...kept, kind: 'contract', valueUsdt: '1000' }, kept])).toBe(
    '44996.500001',
  )
  const inUse = { ...kept, kind: 'contract', valueUsdt: '1000' } as const
  expect(totalOf('10', [inUse, { ...inUse, accountId: 5, valueUsdt: '7' }])).toBe('17.000000')
  const { valueUsdt, ...unpriced } = kept
  expect(totalOf('10', [unpriced, kept])).toBe('45010.000001')
})

test('a total is cut to the decimals of the currency it is shown in', () => {
  const totals = [
    { currency: 'BTC', amount: '0', perUsdt: '0.00001110987' },
    { currency: 'USD', amount: '0', perUsdt: '1' },
  ] as const
  expect(totalIn('BTC', '90010', totals)).toBe('0.99999939')
  expect(totalIn('USD', '12.345678', totals)).toBe('12.345678')
  expect(totalIn('ETH', '90010', totals)).toBeNull()
})

test('what is worth less than a dollar is small, what has no price is not', () => {
  expect(isSmall(kept)).toBe(false)
  expect(isSmall({ ...kept, valueUsdt: '0.999999' })).toBe(true)
  expect(isSmall({ ...kept, valueUsdt: '1' })).toBe(false)
  const inUse = { ...kept, kind: 'contract', valueUsdt: '1000' } as const
  expect(totalOf('10', [inUse, { ...inUse, accountId: 5, valueUsdt: '7' }])).toBe('17.000000')
  const { valueUsdt, ...unpriced } = kept
  expect(isSmall(unpriced)).toBe(false)
  expect(isSmall({ ...unpriced, balance: '0' })).toBe(true)
})
