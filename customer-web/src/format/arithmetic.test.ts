import { describe, expect, test } from 'vitest'
import { fromScaled, stepValue, toScaled } from './arithmetic'

test.each([
  ['0.2', 2, 20n],
  ['-1.239', 2, -123n],
  ['7', 0, 7n],
  ['', 2, null],
  ['x', 2, null],
])('%s with %i decimals is %s', (value, decimals, scaled) => {
  expect(toScaled(value, decimals)).toBe(scaled)
})

test.each([
  [20n, 2, '0.20'],
  [-123n, 2, '-1.23'],
  [7n, 0, '7'],
  [0n, 3, '0.000'],
])('%s with %i decimals is written %s', (scaled, decimals, value) => {
  expect(fromScaled(scaled, decimals)).toBe(value)
})

describe('stepValue', () => {
  const lots = { step: '0.01', min: '0.01', max: '50', decimals: 2 }

  test.each([
    ['0.20', 1, '0.21'],
    ['0.20', -1, '0.19'],
    ['0.29', 1, '0.30'],
    ['0.01', -1, '0.01'],
    ['50', 1, '50.00'],
    ['99', 1, '50.00'],
    ['99', -1, '50.00'],
    ['', 1, '0.01'],
    ['0', 1, '0.01'],
  ] as const)('%s by %i is %s', (value, direction, next) => {
    expect(stepValue(value, direction, lots)).toBe(next)
  })

  test('a value off the grid goes to the nearest step', () => {
    const range = { step: '0.5', min: '1', max: '10', decimals: 2 }
    expect(stepValue('1.7', 1, range)).toBe('2.00')
    expect(stepValue('1.7', -1, range)).toBe('1.50')
  })
})
