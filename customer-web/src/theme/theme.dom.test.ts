import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { languages } from '@/i18n/languages'
import { storage } from '@/storage/storage'
import { applyTheme, shownTheme } from './apply-theme'
import {
  applyPreferences,
  defaultDirection,
  defaultPreferences,
  fixDirection,
  setPreferences,
  usePreferences,
} from './preferences'

beforeEach(() => {
  localStorage.clear()
  usePreferences.setState(defaultPreferences)
})

describe('price colours', () => {
  test('follow the habits of the market', () => {
    expect(defaultDirection('zh_CN')).toBe('red-up')
    expect(defaultDirection('zh_tw')).toBe('red-up')
    expect(defaultDirection('ja')).toBe('red-up')
    expect(defaultDirection('ko')).toBe('red-up-blue-down')
    expect(defaultDirection('en')).toBe('green-up')
    expect(defaultDirection('ar')).toBe('green-up')
  })

  test('stay as they are after the first choice of a language', () => {
    fixDirection('zh_CN')
    expect(usePreferences.getState().direction).toBe('red-up')
    fixDirection('en')
    expect(usePreferences.getState().direction).toBe('red-up')
  })
})

test('preferences are kept', () => {
  setPreferences({ themeMode: 'light', hourCycle: '12' })
  expect(storage.read('themeMode')).toBe('light')
  expect(storage.read('preferences')).toEqual({
    hourCycle: '12',
    timeZone: 'local',
    reduceMotion: false,
    displayCurrency: 'USD',
    hideSmall: true,
    protectionUnit: 'price',
    orderSounds: false,
    compactRows: false,
    shortcuts: true,
    chartPeriod: '15m',
    chartAverages: true,
  })
})

describe('the time of a change', () => {
  const changes = () => storage.read('preferenceChanges')?.fields ?? {}
  const guest = { userId: '9', userName: 'Guest', type: 8, authStatus: -1 }

  test('is noted for each preference that the trader changed, and for no other', () => {
    const began = Date.now()
    setPreferences({ themeMode: 'light', hourCycle: '24' })
    expect(Object.keys(changes())).toEqual(['theme'])
    expect(changes().theme?.at).toBeGreaterThanOrEqual(began)
    expect(changes().theme?.owner).toBeUndefined()
  })

  test('is not noted of values of the account or of the address', () => {
    applyPreferences({ themeMode: 'light' })
    expect(changes()).toEqual({})
  })

  test('belongs to the registered trader, and to nobody for a guest', () => {
    storage.write('token', 'abc')
    storage.write('userInfo', { ...guest, type: 5 })
    setPreferences({ compactRows: true })
    storage.write('userInfo', guest)
    setPreferences({ orderSounds: true })
    expect(changes().compactRows?.owner).toBe('9')
    expect(changes().orderSounds?.owner).toBeUndefined()
  })

  test('of colours that follow a language is older than any choice', () => {
    fixDirection('zh_CN')
    expect(changes().direction?.at).toBe(0)
    setPreferences({ direction: 'green-up' })
    expect(changes().direction?.at).toBeGreaterThan(0)
  })
})

test('the device decides only when the trader leaves it to it', () => {
  expect(shownTheme('system', true)).toBe('light')
  expect(shownTheme('system', false)).toBe('dark')
  expect(shownTheme('dark', true)).toBe('dark')
})

describe('boot.js', () => {
  const source = readFileSync(resolve(import.meta.dirname, '../../public/boot.js'), 'utf8')
  const root = document.documentElement

  function attributes() {
    const { theme, direction, motion } = root.dataset
    return { lang: root.lang, dir: root.dir, theme, direction, motion }
  }

  function boot(deviceIsLight: boolean) {
    document.head.innerHTML = '<meta name="theme-color" content="">'
    window.matchMedia = vi.fn().mockReturnValue({ matches: deviceIsLight })
    delete root.dataset.motion
    new Function(source)()
    return attributes()
  }

  test.each(languages)('sets for $code what the app sets', ({ code, tag, dir }) => {
    storage.write('locale', code)
    const booted = boot(true)
    applyTheme(defaultPreferences, code, true)
    expect(booted).toEqual({ ...attributes(), lang: tag, dir })
  })

  test('respects what the trader chose', () => {
    setPreferences({ themeMode: 'dark', direction: 'blue-orange', reduceMotion: true })
    expect(boot(true)).toMatchObject({ theme: 'dark', direction: 'blue-orange', motion: 'reduce' })
  })

  test('survives broken storage', () => {
    localStorage.setItem('preferences', '{x')
    localStorage.setItem('locale', 'constructor')
    expect(boot(false)).toMatchObject({
      lang: 'en-US',
      dir: 'ltr',
      theme: 'dark',
      direction: 'green-up',
    })
  })

  test('the lang parameter wins over the stored language', () => {
    storage.write('locale', 'en')
    window.history.replaceState(null, '', '/?lang=ar#/home/index')
    expect(boot(false)).toMatchObject({ lang: 'ar', dir: 'rtl' })
    window.history.replaceState(null, '', '/')
  })
})
