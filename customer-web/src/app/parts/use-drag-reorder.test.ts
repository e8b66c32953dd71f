import { expect, test } from 'vitest'
import { targetIndex } from './use-drag-reorder'

test('a row is over the place its middle is in, and stays in the list', () => {
  expect(targetIndex(1, 0, 56, 4)).toBe(1)
  expect(targetIndex(1, 27, 56, 4)).toBe(1)
  expect(targetIndex(1, 29, 56, 4)).toBe(2)
  expect(targetIndex(1, -60, 56, 4)).toBe(0)
  expect(targetIndex(1, -999, 56, 4)).toBe(0)
  expect(targetIndex(1, 999, 56, 4)).toBe(3)
})
