import { describe, expect, test } from 'vitest'
import { codeDigits } from '@/ui/form/code-digits'
import { browserRegion } from './browser-region'
import { accountOf, type Contact } from './contact'
import { nameCountries, searchCountries } from './country-search'

const mail: Contact = { kind: 'mail', mail: ' maria@mail.com ', country: '', phone: '' }
const phone = (typed: string): Contact => ({ kind: 'phone', mail: '', country: 'CN', phone: typed })

describe('accountOf', () => {
  test('a mail address loses the spaces around it', () => {
    expect(accountOf(mail, undefined)).toBe('maria@mail.com')
  })

  test.each([
    ['138 0013-8021', '+8613800138021'],
    ['(138) 00138021', '+8613800138021'],
    ['١٣٨٠٠١٣٨٠٢١', '+8613800138021'],
    ['+44 7911 123456', '+447911123456'],
    ['', ''],
    ['abc', ''],
  ])('the number %j with +86 is %j', (typed, account) => {
    expect(accountOf(phone(typed), '86')).toBe(account)
  })

  test('a number without a country code is not complete', () => {
    expect(accountOf(phone('13800138021'), undefined)).toBe('')
  })
})

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['١٢٣٤٥٦', '123456'],
  ['1234567', '123456'],
  ['Your code: 0042', '0042'],
])('a code field makes %j to %j', (typed, code) => {
  expect(codeDigits(typed)).toBe(code)
})

test('the region is what the browser names, never a guess', () => {
  expect(browserRegion(['en', 'de-CH', 'fr-FR'])).toBe('CH')
  expect(browserRegion(['en', 'zh-Hans'])).toBeNull()
  expect(browserRegion(['-', 'es-419'])).toBeNull()
})

describe('countries', () => {
  const list = [
    { code: '49', en: 'Germany', country: 'DE' },
    { code: '1', en: 'United States', country: 'US' },
    { code: '1', en: 'Canada', country: 'CA' },
    { code: '90', en: 'Türkiye', country: 'TR' },
    { code: '1', en: 'Nowhere', country: 'ZZ' },
  ]
  const named = nameCountries(list, 'de')
  const found = (text: string) => searchCountries(named, text).map(({ country }) => country)

  test('have names in the language, in its order', () => {
    expect(named.map(({ name }) => name).slice(0, 2)).toEqual(['Deutschland', 'Kanada'])
  })

  test.each([
    ['deutsch', ['DE']],
    ['germany', ['DE']],
    ['turkiye', ['TR']],
    ['states', ['US']],
    ['us', ['US']],
    ['+90', ['TR']],
    ['49', ['DE']],
    ['atlantis', []],
  ])('%s finds %j', (text, isos) => {
    expect(found(text)).toEqual(isos)
  })

  test('nothing typed shows all', () => {
    expect(found('')).toHaveLength(5)
  })
})
