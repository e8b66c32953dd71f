import { expect, test } from 'vitest'
import { placeName } from './place-name'

test('a place is named in the language of the app', () => {
  expect(placeName({ country: 'PT', city: 'Lisbon' }, 'en')).toBe('Lisbon, Portugal')
  expect(placeName({ country: 'ES' }, 'en')).toBe('Spain')
  expect(placeName({ country: 'ES' }, 'ar')).toBe('إسبانيا')
  expect(placeName({ country: 'ES' }, 'zh-Hans')).toBe('西班牙')
})

test('without a country there is no place', () => {
  expect(placeName({}, 'en')).toBeUndefined()
  expect(placeName({ city: 'Lisbon' }, 'en')).toBeUndefined()
})
