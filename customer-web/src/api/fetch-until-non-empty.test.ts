import { expect, test, vi } from 'vitest'
import { fetchUntilNonEmpty } from './fetch-until-non-empty'

const found = { list: [1], next: 5 }
const nothing = (next: number) => ({ list: [], next })

test('a page that has something is the answer, whatever follows', async () => {
  const fetch = vi.fn(async () => found)
  expect(await fetchUntilNonEmpty(0, fetch)).toBe(found)
  expect(fetch.mock.calls).toEqual([[0]])
})

test('stretches without anything are passed over', async () => {
  const fetch = vi.fn(async (next: number) => (next === 7 ? found : nothing(next === 9 ? 8 : 7)))
  expect(await fetchUntilNonEmpty(9, fetch)).toBe(found)
  expect(fetch.mock.calls).toEqual([[9], [8], [7]])
})

test('the end of the list is an answer', async () => {
  const fetch = vi.fn(async () => nothing(0))
  expect(await fetchUntilNonEmpty(0, fetch)).toEqual(nothing(0))
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('after ten stretches the reader is asked', async () => {
  const fetch = vi.fn(async (next: number) => nothing(next - 1))
  expect(await fetchUntilNonEmpty(1_000, fetch)).toEqual(nothing(990))
  expect(fetch).toHaveBeenCalledTimes(10)
})
