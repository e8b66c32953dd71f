import i18next from 'i18next'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { storage } from '@/storage/storage'
import { errorText } from './error-text'
import { changeLanguage, currentLanguage, loadTexts, startI18n } from './i18n'
import { allowedLanguages } from './locale-files'
import { takeUrlParameter } from './url-parameters'

beforeEach(() => {
  vi.useRealTimers()
  window.history.replaceState(null, '', '/')
})

describe('startI18n', () => {
  test('speaks English when nothing is chosen, and says so on the document', async () => {
    await startI18n()
    expect(i18next.t('lang.title')).toBe('Language')
    expect(document.documentElement.lang).toBe('en-US')
    expect(document.documentElement.dir).toBe('ltr')
    expect(document.body.className).toBe('en')
  })

  test('speaks the stored language', async () => {
    storage.write('locale', 'zh_CN')
    await startI18n()
    expect(i18next.t('lang.title')).toBe('语言')
    expect(document.documentElement.lang).toBe('zh-Hans-CN')
    expect(document.body.className).toBe('zh_CN')
  })

  test('the lang parameter wins, is kept, and leaves the address', async () => {
    storage.write('locale', 'zh_CN')
    window.history.replaceState(null, '', '/?lang=ar&x=1#/quotes')
    await startI18n()
    expect(currentLanguage().code).toBe('ar')
    expect(storage.read('locale')).toBe('ar')
    expect(document.documentElement.dir).toBe('rtl')
    expect(window.location.href).not.toContain('lang')
    expect(window.location.href).toContain('/?x=1#/quotes')
  })

  test('a stored language that is not allowed falls back and reloads after 600 ms', async () => {
    storage.write('locale', 'sv')
    const reload = vi.fn()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const started = startI18n(reload)
    vi.advanceTimersByTime(599)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(reload).toHaveBeenCalledOnce()
    vi.useRealTimers()
    await started
    expect(storage.read('locale')).toBe('en')
    expect(currentLanguage().code).toBe('en')
  })

  test('a lang parameter that is not allowed changes nothing', async () => {
    storage.write('locale', 'zh_CN')
    window.history.replaceState(null, '', '/?lang=xx')
    await startI18n()
    expect(currentLanguage().code).toBe('zh_CN')
    expect(window.location.search).toBe('')
  })

  test('waits for texts that an earlier start is still loading', async () => {
    await startI18n()
    await loadTexts()
    await startI18n()
    const loading = loadTexts()
    await startI18n()
    expect(i18next.t('lang.title')).toBe('Language')
    await loading
  })
})

test('changeLanguage switches at once and remembers', async () => {
  await startI18n()
  await changeLanguage('ar')
  expect(i18next.t('ui.back')).toBe('رجوع')
  expect(document.documentElement.dir).toBe('rtl')
  expect(document.body.className).toBe('ar')
  expect(storage.read('locale')).toBe('ar')
})

test('a key missing in a language is shown in English', async () => {
  storage.write('locale', 'zh_CN')
  await startI18n()
  i18next.addResource('en', 'common', 'test.only_english', 'Only English')
  expect(i18next.t('test.only_english' as 'lang.title')).toBe('Only English')
})

test('the offered languages are those with a file', () => {
  expect(allowedLanguages.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['en', 'zh_CN', 'ar']),
  )
})

describe('takeUrlParameter', () => {
  test('looks inside the hash as well', () => {
    window.history.replaceState(null, '', '/#/login?token=abc&from=%2Forder')
    expect(takeUrlParameter('token')).toBe('abc')
    expect(window.location.hash).toBe('#/login?from=%2Forder')
    expect(takeUrlParameter('token')).toBeNull()
  })
})

describe('errorText', () => {
  const refusal = { httpStatus: 200, cnMsg: '余额不足', enMsg: 'Not enough balance' }

  test('prefers our own text for the code', async () => {
    await startI18n()
    i18next.addResource('en', 'common', 'error.test.minimum', 'At least {{min}}')
    expect(errorText({ ...refusal, code: 'test.minimum', args: { min: '10' } })).toBe('At least 10')
  })

  test('shows amounts as every other number, and years as they are', async () => {
    await startI18n()
    i18next.addResource('en', 'common', 'error.test.sum', '{{needed}} {{limit}} {{year}}')
    const args = { needed: '10001.136', limit: '1.10250', year: '2026' }
    expect(errorText({ ...refusal, code: 'test.sum', args })).toBe('10,001.136 1.10250 2026')
  })

  test('then the text of the HTTP status', () => {
    expect(errorText({ httpStatus: 404 })).toMatch(/not found/)
    expect(errorText({ httpStatus: 0 })).toMatch(/No response/)
  })

  test('then what the server says, Chinese for Chinese', async () => {
    await changeLanguage('zh_CN')
    expect(errorText({ ...refusal, code: 'unknown.code' })).toBe('余额不足')
    await changeLanguage('en')
    expect(errorText({ ...refusal, code: 'unknown.code' })).toBe('Not enough balance')
  })

  test('and a general line when there is nothing', () => {
    expect(errorText({ httpStatus: 200 })).toMatch(/went wrong/)
    expect(errorText({ httpStatus: 418 })).toMatch(/went wrong/)
  })

  test.each([401, 403, 404, 405, 408, 500, 501, 502, 503, 504, 505])('%i has a text', (status) => {
    expect(errorText({ httpStatus: status })).not.toMatch(/^Something/)
  })
})
