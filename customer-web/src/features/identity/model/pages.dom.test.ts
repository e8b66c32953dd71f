import { expect, test } from 'vitest'
import type { Identity } from '../api/identity'
import { type IdentityPage, redirectOf } from './pages'

const pages: IdentityPage[] = ['/authenticate', '/process', '/failed', '/successful']

test.each([
  [-1, 'none', '/authenticate'],
  [-1, 'draft', '/authenticate'],
  [-1, 'reverify_required', '/authenticate'],
  [7, 'none', '/authenticate'],
  [1, 'submitted', '/process?status=REVIEW'],
  [1, 'in_review', '/process?status=REVIEW'],
  [2, 'resubmission_required', '/failed'],
  [2, 'rejected_final', '/failed'],
  [2, 'revoked', '/failed'],
  [3, 'approved', '/successful'],
  [3, 'expiring', '/successful'],
] as const)('authStatus %d (%s) leads from everywhere to %s', (authStatus, state, home) => {
  for (const page of pages) {
    const here = home.startsWith(page)
    expect(redirectOf(page, { authStatus, state }, false)).toBe(here ? null : home)
  }
})

test('a step may be opened only where something may be filled in', () => {
  const open = (authStatus: number, state: Identity['state']) =>
    redirectOf('/authenticate', { authStatus, state }, true)
  expect(open(2, 'resubmission_required')).toBeNull()
  expect(open(3, 'expiring')).toBeNull()
  expect(open(2, 'rejected_final')).toBe('/failed')
  expect(open(3, 'approved')).toBe('/successful')
  expect(open(1, 'submitted')).toBe('/process?status=REVIEW')
})

test('a renewal beside an approval has its own screens', () => {
  expect(redirectOf('/process', { authStatus: 3, state: 'in_review' }, false)).toBeNull()
  expect(redirectOf('/failed', { authStatus: 3, state: 'resubmission_required' }, false)).toBeNull()
  expect(redirectOf('/process', { authStatus: 3, state: 'approved' }, false)).toBe('/successful')
})
