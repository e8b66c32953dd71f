import { describe, expect, it } from 'vitest'
import { candleStart, isPeriod } from './periods'

const at = Date.UTC(2026, 10, 20, 15, 42, 8)

describe('candleStart', () => {
  it('cuts to the period in UTC', () => {
    expect(candleStart(at, '1m')).toBe(Date.UTC(2026, 10, 20, 15, 42))
    expect(candleStart(at, '15m')).toBe(Date.UTC(2026, 10, 20, 15, 30))
    expect(candleStart(at, '4h')).toBe(Date.UTC(2026, 10, 20, 12))
    expect(candleStart(at, '1d')).toBe(Date.UTC(2026, 10, 20))
  })

  it('starts weeks on Mondays', () => {
    expect(candleStart(at, '1w')).toBe(Date.UTC(2026, 10, 16))
    expect(candleStart(Date.UTC(2026, 10, 16), '1w')).toBe(Date.UTC(2026, 10, 16))
    expect(candleStart(Date.UTC(2026, 10, 15, 23, 59), '1w')).toBe(Date.UTC(2026, 10, 9))
  })
})

it('knows its periods', () => {
  expect(isPeriod('15m')).toBe(true)
  expect(isPeriod('2m')).toBe(false)
  expect(isPeriod(null)).toBe(false)
})
