import { expect, test } from 'vitest'
import { placeOf } from './use-drag-order'

test('a row is over the place its middle is in, and stays in the list', () => {
  expect(placeOf(1, 0, 56, 4)).toBe(1)
  expect(placeOf(1, 27, 56, 4)).toBe(1)
  expect(placeOf(1, 29, 56, 4)).toBe(2)
  expect(placeOf(1, -60, 56, 4)).toBe(0)
  expect(placeOf(1, -999, 56, 4)).toBe(0)
  expect(placeOf(1, 999, 56, 4)).toBe(3)
})
