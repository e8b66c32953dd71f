import { describe, expect, test, vi } from 'vitest'
import { guestId } from './guest-id'
import { maskName, toStoredUser } from './mask-name'
import { storage } from './storage'

describe('storage', () => {
  test('gives back what was written', () => {
    const user = { userId: '7', userName: 'al•••', type: 5, authStatus: 3 }
    storage.write('userInfo', user)
    storage.write('token', 'abc')
    storage.write('favourites', ['EURUSD', 'XAUUSD'])
    storage.write('appConfig', { ai: '1' })
    storage.write('balance', { balance: '12.5', zengjin: '0' })
    expect(storage.read('userInfo')).toEqual(user)
    expect(storage.read('token')).toBe('abc')
    expect(storage.read('favourites')).toEqual(['EURUSD', 'XAUUSD'])
    expect(storage.read('appConfig')).toEqual({ ai: '1' })
    expect(storage.read('balance')).toEqual({ balance: '12.5', zengjin: '0' })
  })

  test('plain entries are plain text under the key of the specification', () => {
    storage.write('token', 'abc')
    storage.write('themeMode', 'light')
    expect(localStorage.getItem('token')).toBe('abc')
    expect(localStorage.getItem('themeMode')).toBe('light')
  })

  test('nothing there is null, and removing leaves nothing', () => {
    expect(storage.read('token')).toBeNull()
    storage.write('token', 'abc')
    storage.remove('token', 'userInfo')
    expect(storage.read('token')).toBeNull()
  })

  test.each([
    ['userInfo', '{broken'],
    ['userInfo', '[]'],
    ['userInfo', '{"userId":7,"type":1}'],
    ['userInfo', 'null'],
    ['favourites', '{"a":1}'],
    ['appConfig', '[1]'],
    ['themeMode', 'purple'],
    ['balance', '{"balance":1}'],
    ['banners', '"x"'],
    ['preferences', '3'],
    ['tableColumns', '[]'],
    ['panels', '7'],
  ] as const)('%s survives %s', (key, text) => {
    localStorage.setItem(key, text)
    expect(storage.read(key)).toBeNull()
  })

  test('foreign parts of a value are dropped', () => {
    localStorage.setItem('favourites', '["EURUSD",7,null]')
    expect(storage.read('favourites')).toEqual(['EURUSD'])
    localStorage.setItem('preferences', '{"direction":"up","hourCycle":"24","extra":1}')
    expect(storage.read('preferences')).toEqual({ hourCycle: '24' })
    localStorage.setItem('preferences', '{"timeZone":"Asia/Tokyo"}')
    expect(storage.read('preferences')).toEqual({ timeZone: 'Asia/Tokyo' })
    localStorage.setItem('preferences', '{"timeZone":"Asia/Atlantis"}')
    expect(storage.read('preferences')).toEqual({})
    localStorage.setItem('tableColumns', '{"positions":{"swap":true,"margin":1},"pending":3}')
    expect(storage.read('tableColumns')).toEqual({ positions: { swap: true } })
    localStorage.setItem('panels', '{"list":300,"bottom":"9","x":1}')
    expect(storage.read('panels')).toEqual({ list: 300 })
    localStorage.setItem('userInfo', '{"userId":"7","type":1,"mail":"a@b.c"}')
    expect(storage.read('userInfo')).toEqual({ userId: '7', userName: '', type: 1, authStatus: -1 })
  })

  test('works without localStorage, until the page is closed', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse)
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(refuse)
    storage.write('token', 'abc')
    expect(storage.read('token')).toBe('abc')
    storage.remove('token')
    expect(storage.read('token')).toBeNull()
  })

  test('hears of changes in other tabs', () => {
    const heard = vi.fn()
    const stop = storage.onChangeElsewhere('token', heard)
    window.dispatchEvent(new StorageEvent('storage', { key: 'locale' }))
    expect(heard).not.toHaveBeenCalled()
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
    expect(heard).toHaveBeenCalledOnce()
    stop()
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
    expect(heard).toHaveBeenCalledOnce()
  })
})

describe('guestId', () => {
  test('is made once and kept', () => {
    const first = guestId()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(guestId()).toBe(first)
  })

  test('a broken one is replaced', () => {
    localStorage.setItem('guestId', 'me')
    expect(guestId()).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('what is kept of a trader', () => {
  test.each([
    ['maria@mail.com', 'ma•••@mail.com'],
    ['ab@mail.com', 'a•••@mail.com'],
    ['+8613800138021', '+86•••21'],
    ['trader', 'tr•••'],
    ['张伟', '张•••'],
    ['ma***a@mail.com', 'ma•••a@mail.com'],
    ['+8***1', '+8•••1'],
    ['', ''],
  ])('%s becomes %s', (name, masked) => {
    expect(maskName(name)).toBe(masked)
  })

  test('the rest is cut', () => {
    const full = { userId: '7', mail: 'maria@mail.com', type: 1, authStatus: 3, userTag: 'x' }
    expect(toStoredUser(full)).toEqual({
      userId: '7',
      userName: 'ma•••@mail.com',
      type: 1,
      authStatus: 3,
    })
  })
})
