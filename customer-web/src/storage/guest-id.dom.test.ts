import { beforeEach, expect, test, vi } from 'vitest'
import { deviceId, tellDevice } from '../../../templates/assets/device'
import { guestId } from './guest-id'

beforeEach(() => localStorage.clear())

test('the back office knows a browser by the same id, whoever made it', () => {
  const made = guestId()
  expect(deviceId()).toBe(made)
  localStorage.clear()
  const other = deviceId()
  expect(other).toMatch(/^[0-9a-f]{32}$/)
  expect(other).not.toBe(made)
  expect(guestId()).toBe(other)
})

test('what is no id is replaced by both', () => {
  localStorage.setItem('guestId', 'me')
  expect(deviceId()).toBe(guestId())
  expect(deviceId()).toMatch(/^[0-9a-f]{32}$/)
})

test('a sign-in sends the id, or nothing where the browser keeps nothing', () => {
  document.body.innerHTML = '<form><input type="hidden" name="device" data-device></form>'
  const field = document.querySelector('input')
  const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  tellDevice()
  expect(field?.value).toBe('')
  refuse.mockRestore()
  tellDevice()
  expect(field?.value).toBe(guestId())
})
