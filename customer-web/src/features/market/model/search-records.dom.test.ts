import { beforeEach, expect, test } from 'vitest'
import { storage } from '@/storage/storage'
import { addSearchRecord, clearSearchRecords, useSearchRecords } from './search-records'

beforeEach(clearSearchRecords)

test('the newest stands first, each once, ten at most', () => {
  for (const symbol of ['A', 'B', 'C', 'a', ' ', '']) addSearchRecord(symbol)
  expect(useSearchRecords.getState().records).toEqual(['a', 'C', 'B'])
  for (let number = 0; number < 20; number++) addSearchRecord(`P${number}`)
  expect(useSearchRecords.getState().records).toHaveLength(10)
  expect(storage.read('searchRecords')?.[0]).toBe('P19')
})

test('they can be cleared', () => {
  addSearchRecord('A')
  clearSearchRecords()
  expect(useSearchRecords.getState().records).toEqual([])
  expect(storage.read('searchRecords')).toBeNull()
})
