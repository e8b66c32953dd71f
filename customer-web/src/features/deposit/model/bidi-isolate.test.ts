import { expect, test } from 'vitest'
import { isolate, isolateWords } from './isolate'

test('a number stays left to right, and a date in its own direction', () => {
  expect(isolate('1,200.50')).toBe('\u20661,200.50\u2069')
  expect(isolateWords('22 نوفمبر')).toBe('\u206822 نوفمبر\u2069')
})
