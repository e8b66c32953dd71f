import { describe, expect, test } from 'vitest'
import { applyChange, mergeFavourites } from './favourite-list'

describe('a change', () => {
  test('adds at the end or at a place, once', () => {
    expect(applyChange([1, 2], { kind: 'add', id: 3 })).toEqual([1, 2, 3])
    expect(applyChange([1, 2], { kind: 'add', id: 3, at: 0 })).toEqual([3, 1, 2])
    expect(applyChange([1, 2], { kind: 'add', id: 1 })).toEqual([1, 2])
  })

  test('adds nothing beyond what the server keeps', () => {
    const full = Array.from({ length: 200 }, (_, index) => index + 1)
    expect(applyChange(full, { kind: 'add', id: 999 })).toEqual(full)
  })

  test('removes', () => {
    expect(applyChange([1, 2, 3], { kind: 'remove', id: 2 })).toEqual([1, 3])
    expect(applyChange([1], { kind: 'remove', id: 9 })).toEqual([1])
  })

  test('moves to a place among the others', () => {
    expect(applyChange([1, 2, 3], { kind: 'move', id: 1, at: 2 })).toEqual([2, 3, 1])
    expect(applyChange([1, 2, 3], { kind: 'move', id: 3, at: 0 })).toEqual([3, 1, 2])
    expect(applyChange([1, 2, 3], { kind: 'move', id: 2, at: 99 })).toEqual([1, 3, 2])
    expect(applyChange([1, 2, 3], { kind: 'move', id: 9, at: 0 })).toEqual([1, 2, 3])
  })

  test('made twice is the same as made once', () => {
    const changes = [
      { kind: 'add', id: 4, at: 1 },
      { kind: 'remove', id: 2 },
      { kind: 'move', id: 3, at: 0 },
    ] as const
    for (const change of changes) {
      const once = applyChange([1, 2, 3], change)
      expect(applyChange(once, change)).toEqual(once)
    }
  })
})

test('what a guest chose follows the favourites of the account', () => {
  expect(mergeFavourites([5, 1], [1, 7])).toEqual([5, 1, 7])
  expect(mergeFavourites([], [])).toEqual([])
})
