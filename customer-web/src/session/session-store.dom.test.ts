import { beforeEach, expect, test } from 'vitest'
import { storage } from '@/storage/storage'
import { clearSession, isLoggedIn, startSession, useSession } from './session-store'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }

beforeEach(clearSession)

test('a session is kept in the browser', () => {
  startSession('abc', user)
  expect(isLoggedIn()).toBe(true)
  expect(storage.read('token')).toBe('abc')
  expect(storage.read('userInfo')).toEqual(user)
})

test('ending it forgets token, user info and balance', () => {
  startSession('abc', user)
  storage.write('balance', { balance: '1', zengjin: '0' })
  storage.write('favourites', ['EURUSD'])
  clearSession()
  expect(isLoggedIn()).toBe(false)
  expect(storage.read('token')).toBeNull()
  expect(storage.read('userInfo')).toBeNull()
  expect(storage.read('balance')).toBeNull()
  expect(storage.read('favourites')).toEqual(['EURUSD'])
})

test('a logout in another tab is heard', () => {
  startSession('abc', user)
  localStorage.removeItem('token')
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  expect(useSession.getState().token).toBeNull()
})
