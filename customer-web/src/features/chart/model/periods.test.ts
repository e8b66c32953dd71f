import { describe, expect, it } from 'vitest'
import { candleStart, isPeriod, periodShowing } from './periods'

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

describe('periodShowing', () => {
  const minutes = (count: number) => count * 60_000
  const days = (count: number) => minutes(1_440 * count)

  it('is the finest that shows both moments at once', () => {
    expect(periodShowing(at - minutes(80), at, at)).toBe('1m')
    expect(periodShowing(at - minutes(81), at, at)).toBe('5m')
    expect(periodShowing(at - days(3), at, at)).toBe('1h')
  })

  it('is coarser for a short trade of long ago, whose bars would be too many', () => {
    expect(periodShowing(at - days(10) - minutes(1), at - days(10), at)).toBe('5m')
    expect(periodShowing(at - days(400), at - days(400), at)).toBe('4h')
  })

  it('is the longest if nothing reaches so far', () => {
    expect(periodShowing(at - days(40_000), at, at)).toBe('1w')
  })
})

it('knows its periods', () => {
  expect(isPeriod('15m')).toBe(true)
  expect(isPeriod('2m')).toBe(false)
  expect(isPeriod(null)).toBe(false)
})
