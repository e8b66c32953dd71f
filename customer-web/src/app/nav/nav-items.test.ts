import { expect, test } from 'vitest'
import { phoneNav, sectionOf } from './nav-items'

test.each([
  ['/mywallet', '/myCenter'],
  ['/withdraw', '/myCenter'],
  ['/historyOrders', '/order'],
  ['/quotes', '/quotes'],
])('%s belongs to %s', (path, section) => {
  expect(sectionOf(path)).toBe(section)
  expect(phoneNav().map((item) => item.path)).toContain(section)
})

test.each(['/login', '/kefu', '/nowhere'])('%s belongs to no item', (path) => {
  expect(phoneNav().map((item) => item.path)).not.toContain(sectionOf(path))
})
