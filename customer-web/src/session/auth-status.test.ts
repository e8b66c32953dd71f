import { expect, test } from 'vitest'
import { authState } from './auth-status'

test.each([
  [1, '/process?status=REVIEW', 'warning'],
  [2, '/failed', 'error'],
  [3, '/successful', 'success'],
  [-1, '/authenticate', 'neutral'],
  [0, '/authenticate', 'neutral'],
  [99, '/authenticate', 'neutral'],
])('authStatus %d leads to %s', (status, path, tone) => {
  expect(authState(status)).toMatchObject({ path, tone })
})
