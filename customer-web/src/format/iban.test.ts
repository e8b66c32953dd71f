import { expect, test } from 'vitest'
import { groupByFour, isBic, isIban } from './iban'

test('an IBAN is right with its check digits, and wrong with a letter changed', () => {
  expect(isIban('DE89 3704 0044 0532 0130 00')).toBe(true)
  expect(isIban('gb82west12345698765432')).toBe(true)
  expect(isIban('DE89 3704 0044 0532 0130 01')).toBe(false)
  expect(isIban('DE98 3704 0044 0532 0130 00')).toBe(false)
  expect(isIban('DE89')).toBe(false)
  expect(isIban('')).toBe(false)
})

test('a BIC has 8 or 11 signs', () => {
  expect(isBic('cobadeff')).toBe(true)
  expect(isBic('COBADEFFXXX')).toBe(true)
  expect(isBic('COBADEFFX')).toBe(false)
  expect(isBic('C0BADEFF')).toBe(false)
})

test('a number is read in groups of four', () => {
  expect(groupByFour('DE89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00')
})
