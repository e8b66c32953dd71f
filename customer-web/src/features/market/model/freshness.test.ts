import { expect, test } from 'vitest'
import { freshnessOf } from './freshness'

const now = 1_000_000
const open = { open: true, halted: false }
const base = { staleMs: 10_000, status: open, market: undefined, now }

function quoteOf(ageMs: number) {
  return { time: now - ageMs, seenAt: now - ageMs }
}

test.each([
  [0, 'fresh'],
  [3_000, 'fresh'],
  [3_001, 'ageing'],
  [10_000, 'ageing'],
  [10_001, 'stale'],
])('a price of %i ms is %s', (age, freshness) => {
  expect(freshnessOf({ ...base, quote: quoteOf(age) })).toBe(freshness)
})

test("the product's own limit decides when a price is old", () => {
  expect(freshnessOf({ ...base, staleMs: 5_000, quote: quoteOf(6_000) })).toBe('stale')
  expect(freshnessOf({ ...base, staleMs: 60_000, quote: quoteOf(30_000) })).toBe('ageing')
})

test('a price that was old when it came is old, whatever clock this device has', () => {
  const quote = { time: 500_000, seenAt: now }
  const market = { marketTime: 560_000, fetchedAt: now - 1_000 }
  expect(freshnessOf({ ...base, quote, market })).toBe('stale')
  expect(freshnessOf({ ...base, quote: { time: 560_500, seenAt: now }, market })).toBe('fresh')
})

test('without a price nothing is live', () => {
  expect(freshnessOf({ ...base, quote: undefined })).toBe('stale')
})

test('a closed or halted market says so, however new its last price', () => {
  const quote = quoteOf(0)
  expect(freshnessOf({ ...base, quote, status: { open: false, halted: false } })).toBe('closed')
  expect(freshnessOf({ ...base, quote, status: { open: true, halted: true } })).toBe('halted')
  expect(freshnessOf({ ...base, quote, status: undefined })).toBe('fresh')
})

test('a price line says that a product is halted, or no longer, before its status is asked for', () => {
  const halted = { ...quoteOf(0), halted: true }
  expect(freshnessOf({ ...base, quote: halted, status: open })).toBe('halted')
  const status = { open: true, halted: true }
  expect(freshnessOf({ ...base, quote: { ...halted, halted: false }, status })).toBe('fresh')
  expect(freshnessOf({ ...base, quote: halted, status: { ...open, open: false } })).toBe('closed')
})
