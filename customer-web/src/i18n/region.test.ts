import { expect, test } from 'vitest'
import { languageOf } from './languages'
import { regionalTag } from './region'

const english = languageOf('en')

test('English is American on an American device, and where no region is known', () => {
  expect(regionalTag(english, ['en-US', 'en'])).toBe('en-US')
  expect(regionalTag(english, ['en-US', 'en-GB'])).toBe('en-US')
  expect(regionalTag(english, ['en'])).toBe('en-US')
  expect(regionalTag(english, [])).toBe('en-US')
  expect(regionalTag(english, ['not a tag'])).toBe('en-US')
})

test('English is that of the device elsewhere, British by default', () => {
  expect(regionalTag(english, ['en-GB', 'en'])).toBe('en-GB')
  expect(regionalTag(english, ['en-AU'])).toBe('en-AU')
  expect(regionalTag(english, ['de-DE', 'de', 'en-US', 'en'])).toBe('en-GB')
  expect(regionalTag(english, ['ar-AE', 'en-IN'])).toBe('en-IN')
})

test('another language has the region of the device only if that speaks it', () => {
  expect(regionalTag(languageOf('pt'), ['pt-PT'])).toBe('pt-PT')
  expect(regionalTag(languageOf('ar'), ['en-GB', 'ar-EG'])).toBe('ar-EG')
  expect(regionalTag(languageOf('ar'), ['en-GB'])).toBe('ar')
  expect(regionalTag(languageOf('zh_CN'), ['zh-TW'])).toBe('zh-Hans-CN')
})
