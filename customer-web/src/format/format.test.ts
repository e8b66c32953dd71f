import { describe, expect, test } from 'vitest'
import {
  directionOf,
  formatAmount,
  formatFixed,
  formatPercent,
  formatSigned,
  formatSignedPercent,
} from './amount'
import { parseDecimal } from './decimal'
import { completeNumeric, filterNumeric } from './numeric-input'
import { formatPrice, splitPrice, truncatePrice } from './price'
import { formatDate, formatDateTime, formatTime, formatTimeSeconds, formatUtc } from './time'

describe('formatAmount', () => {
  test.each([
    ['1234', '1,234'],
    ['1234.5', '1,234.50'],
    ['1234.50', '1,234.50'],
    ['0.1234567', '0.123456'],
    ['0.120000', '0.12'],
    ['0.100100', '0.1001'],
    ['5.000000', '5'],
    ['-24.25', '−24.25'],
    ['-1234567.891', '−1,234,567.891'],
    ['0', '0'],
    ['-0.00', '0'],
    ['-0.0000001', '0'],
    ['00042.10', '42.10'],
    ['.5', '0.50'],
    ['7.', '7'],
    ['999', '999'],
    ['1000', '1,000'],
    ['123456789012345678901234567890.123456789', '123,456,789,012,345,678,901,234,567,890.123456'],
    ['1e-7', '0'],
    ['1.5e3', '1,500'],
    ['2.5e-3', '0.0025'],
    ['−3.1', '−3.10'],
  ])('%s is shown as %s', (given, shown) => {
    expect(formatAmount(given)).toBe(shown)
  })

  test.each([
    [''],
    ['-'],
    ['.'],
    ['abc'],
    ['1,000'],
    ['1.2.3'],
    ['1e999999999'],
    ['NaN'],
    [null],
    [undefined],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
  ])('%s is no number', (given) => {
    expect(formatAmount(given)).toBe('–')
  })

  test('numbers and bigints are welcome', () => {
    expect(formatAmount(0)).toBe('0')
    expect(formatAmount(1e21)).toBe('1,000,000,000,000,000,000,000')
    expect(formatAmount(12345678901234567890n)).toBe('12,345,678,901,234,567,890')
  })
})

describe('fixed, signed and percent', () => {
  test('columns keep their decimals, cut and not rounded', () => {
    expect(formatFixed('10412.6', 2)).toBe('10,412.60')
    expect(formatFixed('0.999', 2)).toBe('0.99')
    expect(formatFixed('7', 0)).toBe('7')
    expect(formatFixed('7.9', 0)).toBe('7')
  })

  test('signs are written, zero has none', () => {
    expect(formatSigned('35.87')).toBe('+35.87')
    expect(formatSigned('-24.2')).toBe('−24.20')
    expect(formatSigned('0.001')).toBe('0.00')
    expect(formatSigned('-0.001')).toBe('0.00')
    expect(formatSigned('')).toBe('–')
    expect(formatSignedPercent('0.89')).toBe('+0.89%')
    expect(formatSignedPercent('-112.4')).toBe('−112.40%')
    expect(formatPercent('561.99')).toBe('561.99%')
    expect(formatPercent(null)).toBe('–')
  })

  test('direction follows what is shown', () => {
    expect(directionOf('0.001', 2)).toBe('flat')
    expect(directionOf('0.01', 2)).toBe('up')
    expect(directionOf('-5')).toBe('down')
    expect(directionOf('')).toBe('flat')
  })
})

describe('prices', () => {
  test.each([
    ['4078.429', 2, '4,078.42'],
    ['1.158249', 5, '1.15824'],
    ['25804', 1, '25,804.0'],
    ['-37.639', 2, '−37.63'],
    ['186.5', 0, '186'],
    ['', 2, '–'],
  ])('%s with point %i is %s', (price, point, shown) => {
    expect(formatPrice(price, point)).toBe(shown)
  })

  test('truncation is exact where floats are not', () => {
    expect(truncatePrice('1.005', 3)).toBe('1.005')
    expect(truncatePrice('0.29', 2)).toBe('0.29')
    expect(truncatePrice('4.35', 2)).toBe('4.35')
    expect(truncatePrice('-1.999', 2)).toBe('-1.99')
    expect(truncatePrice('-0.001', 2)).toBe('0.00')
    expect(truncatePrice('12345678901234567.891', 2)).toBe('12345678901234567.89')
    expect(truncatePrice('x', 2)).toBe('')
  })

  test.each([
    ['4,078.42', '4,078.', '42'],
    ['1.15824', '1.158', '24'],
    ['92,184.5', '92,18', '4.5'],
    ['186', '1', '86'],
    ['1,000', '1,0', '00'],
    ['7', '7', ''],
    ['–', '–', ''],
    ['', '', ''],
  ])('%s splits into %s and %s', (price, head, tail) => {
    expect(splitPrice(price)).toEqual({ head, tail })
  })
})

describe('filterNumeric', () => {
  test.each([
    ['', ''],
    ['-', ''],
    ['-5', ''],
    ['.', '0.'],
    ['.5', '0.5'],
    ['00.5', '0.5'],
    ['007', '7'],
    ['0', '0'],
    ['000', '0'],
    ['12abc', '12'],
    ['abc', ''],
    ['1.2.3', '1.2'],
    ['1,234', '1'],
    ['1.', '1.'],
    ['0.1234567', '0.123456'],
    [' 42 ', '42'],
    ['1e5', '1'],
    ['99999999999999999999.1', '99999999999999999999.1'],
    ['٣٫٥', '3.5'],
    ['۱۲', '12'],
    ['１２。５', '12.5'],
  ])('%j keeps %j', (typed, kept) => {
    expect(filterNumeric(typed)).toBe(kept)
  })

  test('the precision is configurable', () => {
    expect(filterNumeric('1.2345', 2)).toBe('1.23')
    expect(filterNumeric('1.9', 0)).toBe('1')
    expect(filterNumeric('.9', 0)).toBe('')
  })

  test('a finished number has no dangling point', () => {
    expect(completeNumeric('12.')).toBe('12')
    expect(completeNumeric('.')).toBe('0')
    expect(completeNumeric('')).toBe('')
  })
})

describe('times', () => {
  const at = Date.UTC(2026, 10, 20, 15, 42, 8)
  const utc = { hourCycle: '24', timeZone: 'utc' } as const

  test('follow the clock setting', () => {
    expect(formatTime(at, { ...utc, tag: 'en-US' })).toBe('15:42')
    expect(formatTimeSeconds(at, { ...utc, tag: 'en-US' })).toBe('15:42:08')
    expect(formatTime(at, { ...utc, tag: 'en-US', hourCycle: '12' })).toMatch(/^03:42\sPM$/)
    expect(formatTime(Date.UTC(2026, 0, 1, 0, 5), { ...utc, tag: 'en-US' })).toBe('00:05')
  })

  test('Thai shows the Gregorian year', () => {
    expect(formatDate(at, { ...utc, tag: 'th-TH' })).toContain('2026')
  })

  test('Arabic shows western digits', () => {
    expect(formatDateTime(at, { ...utc, tag: 'ar-EG' })).toMatch(/2026/)
    expect(formatDateTime(at, { ...utc, tag: 'ar-EG' })).toMatch(/15:42/)
  })

  test('UTC is the same everywhere, and nonsense is no time', () => {
    expect(formatUtc(at)).toBe('2026-11-20 15:42:08 UTC')
    expect(formatUtc(Number.NaN)).toBe('–')
    expect(formatDate(Number.NaN, { ...utc, tag: 'en-US' })).toBe('–')
  })
})

test('parseDecimal refuses what is not a plain number', () => {
  expect(parseDecimal('+1.50')).toEqual({ negative: false, whole: '1', fraction: '50' })
  expect(parseDecimal('1 000')).toBeNull()
  expect(parseDecimal('0x10')).toBeNull()
  expect(parseDecimal('--1')).toBeNull()
})
