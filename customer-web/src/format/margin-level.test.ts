import { describe, expect, it } from 'vitest'
import { marginLevel } from './margin-level'

describe('marginLevel', () => {
  it('reads above a mark when it is above it', () => {
    expect(marginLevel(50_004n, 100_000n)).toBe('50.01')
    expect(marginLevel(50_000n * 10n ** 9n + 1n, 100_000n * 10n ** 9n)).toBe('50.01')
    expect(marginLevel(100_001n, 100_000n)).toBe('100.01')
  })

  it('reads at or below a mark when it is at or below it', () => {
    expect(marginLevel(50_000n, 100_000n)).toBe('50.00')
    expect(marginLevel(49_996n, 100_000n)).toBe('50.00')
    expect(marginLevel(49_989n, 100_000n)).toBe('49.99')
  })

  it('rounds up below zero too', () => {
    expect(marginLevel(-1n, 3n)).toBe('-33.33')
  })

  it('is none without used margin', () => {
    expect(marginLevel(5n, 0n)).toBeNull()
  })
})
