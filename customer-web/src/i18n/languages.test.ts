import { describe, expect, test } from 'vitest'
import { defaultLanguage, findLanguage, languages } from './languages'

test('there are 26 languages, each with a tag that Intl knows', () => {
  expect(languages).toHaveLength(26)
  expect(new Set(languages.map(({ id }) => id)).size).toBe(26)
  for (const { tag, code } of languages) {
    expect(Intl.DateTimeFormat.supportedLocalesOf(tag), code).toEqual([tag])
    expect(() => new Intl.PluralRules(tag)).not.toThrow()
  }
})

test('only Arabic and Urdu are read from right to left', () => {
  expect(languages.filter(({ dir }) => dir === 'rtl').map(({ code }) => code)).toEqual(['ar', 'ur'])
})

test('English is the default', () => {
  expect(defaultLanguage.code).toBe('en')
})

describe('findLanguage', () => {
  test.each([
    ['zh_CN', 'zh_CN'],
    ['zh-cn', 'zh_CN'],
    ['zh', 'zh_CN'],
    ['zh-Hans', 'zh_CN'],
    ['zh-HK', 'zh_tw'],
    ['zh_TW', 'zh_tw'],
    ['en-US', 'en'],
    ['en-GB', 'en'],
    ['vn', 'vn'],
    ['vi', 'vn'],
    ['vi-VN', 'vn'],
    ['pt', 'pt'],
    ['ar-EG', 'ar'],
  ])('%s is %s', (text, code) => {
    expect(findLanguage(text)?.code).toBe(code)
  })

  test.each(['', 'xx', 'sv-SE', '-', 'constructor'])('%j is none of ours', (text) => {
    expect(findLanguage(text)).toBeNull()
  })
})
