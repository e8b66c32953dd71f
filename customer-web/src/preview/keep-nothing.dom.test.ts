import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '@/storage/storage'
import { keepNothing } from './keep-nothing'

const browser = window.localStorage

afterEach(() => {
  Object.defineProperty(window, 'localStorage', { configurable: true, value: browser })
})

test('the app in a preview reads and keeps nothing of the browser', () => {
  browser.setItem('token', 'of-a-trader')
  keepNothing(window)
  const changed = vi.fn()
  storage.onChangeElsewhere('token', changed)
  expect(storage.read('token')).toBeNull()
  storage.write('locale', 'ko')
  expect(storage.read('locale')).toBe('ko')
  storage.remove('token')
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(changed).not.toHaveBeenCalled()
  expect(browser.getItem('locale')).toBeNull()
  expect(browser.getItem('token')).toBe('of-a-trader')
})
