import { expect, test } from 'vitest'
import { bidiIsolate, bidiIsolateAuto } from '@/format/bidi-isolate'

test('a number stays left to right, and a date in its own direction', () => {
  expect(bidiIsolate('1,200.50')).toBe('\u20661,200.50\u2069')
  expect(bidiIsolateAuto('22 نوفمبر')).toBe('\u206822 نوفمبر\u2069')
})
