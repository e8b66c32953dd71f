import { expect, test } from 'vitest'
import { toScaled } from '@/format/arithmetic'
import { type MarginLeg, usedMargin } from './used-margin'

const units = (text: string) => toScaled(text, 6) ?? 0n
const leg = (side: MarginLeg['side'], lots: string, margin: string, leverage = 100): MarginLeg => ({
  side,
  lots: units(lots),
  leverage,
  margin: units(margin),
})
const plain = { tiers: [], hedgedRatio: '0.5' }
const tiers = [{ upTo: '20', leverage: 100 }, { leverage: 50 }]

test('without tiers and hedges the margins add up', () => {
  expect(usedMargin(plain, [])).toBe(0n)
  expect(usedMargin(plain, [leg('buy', '1', '100'), leg('buy', '2', '250')])).toBe(units('350'))
})

test('hedged lots count with the ratio', () => {
  const equal = [leg('buy', '1', '200'), leg('sell', '1', '200')]
  expect(usedMargin(plain, equal)).toBe(units('200'))
  expect(usedMargin({ ...plain, hedgedRatio: '1' }, equal)).toBe(units('400'))
  expect(usedMargin({ ...plain, hedgedRatio: '0' }, equal)).toBe(0n)
  expect(usedMargin(plain, [leg('buy', '1', '200'), leg('sell', '1.5', '300')])).toBe(units('300'))
})

test('each slice of the volume pays its tier', () => {
  const terms = { ...plain, tiers }
  expect(usedMargin(terms, [leg('buy', '20', '2000')])).toBe(units('2000'))
  expect(usedMargin(terms, [leg('buy', '30', '3000')])).toBe(units('4000'))
  expect(usedMargin(terms, [leg('buy', '15', '1500'), leg('buy', '10', '1000')])).toBe(
    units('3000'),
  )
})

test('a leverage below the tier asks for its own margin', () => {
  const terms = { ...plain, tiers }
  expect(usedMargin(terms, [leg('buy', '10', '5000', 20)])).toBe(units('5000'))
  expect(usedMargin(terms, [leg('buy', '10', '200', 500)])).toBe(units('1000'))
})
