import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startI18n } from '@/i18n/i18n'
import { ErrorScreen } from './error-screen'
import { watchStaleBuild } from './stale-build'

/** A file that could not be loaded. */
const missing = new Error('Failed to fetch dynamically imported module')

beforeAll(async () => {
  await startI18n()
  watchStaleBuild()
  const failed = new Event('vite:preloadError')
  window.dispatchEvent(Object.assign(failed, { payload: missing }))
})

beforeEach(() => {
  // A recent reload keeps the test's own page where it is.
  sessionStorage.setItem('reloadedAt', String(Date.now()))
})

test('a file that no server delivers says offline until the network is back', async () => {
  const server = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'))
  render(<ErrorScreen cause={missing} />)
  expect(await screen.findByRole('heading', { name: 'You’re offline' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull()

  server.mockResolvedValue(new Response())
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'You’re offline' })).toBeNull()
})

test('a server that is back while the network stayed is found by trying again', async () => {
  const server = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('restarting'))
  render(<ErrorScreen cause={missing} />)
  const again = await screen.findByRole('button', { name: 'Try again' })
  await userEvent.click(again)
  expect(screen.getByRole('heading', { name: 'You’re offline' })).toBeTruthy()
  server.mockResolvedValue(new Response())
  await userEvent.click(again)
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeTruthy()
})

test('a crash asks no server and offers to reload', () => {
  const server = vi.spyOn(globalThis, 'fetch')
  render(<ErrorScreen cause={new Error('broken')} />)
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  expect(server).not.toHaveBeenCalled()
})
