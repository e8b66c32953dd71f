import { beforeAll, expect, test } from 'vitest'
import { loadTexts, startI18n } from '@/i18n/i18n'
import { placeName } from './place-name'

beforeAll(async () => {
  await startI18n()
  await loadTexts(['account'])
})

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
