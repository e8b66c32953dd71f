import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

// Screens that appear once a feature exists behind their switch.
vi.mock('../routes', async (original) => ({
  ...(await original<typeof import('../routes')>()),
  hasRoute: () => true,
}))

beforeEach(() => {
  clearSession()
  setScreen('phone')
})

test.each([
  [1, 'false'],
  [1, 'true'],
  [5, 'false'],
  [5, 'true'],
])('support is one press away, whatever else is switched on: account %i, %s', async (type, on) => {
  startSession('abc', { userId: '7', userName: 'al•••', type, authStatus: 3 })
  fakeServer({
    ...sampleMarket(),
    'config/findFrontConfigList': () =>
      answer(['follow.enabled', 'ai.enabled'].map((key) => ({ key, value: on, type: 'bool' }))),
  })
  await renderApp('/home/index')
  const quick = within(await screen.findByRole('navigation', { name: 'Quick actions' }))
  await quick.findByRole('link', { name: 'Trade' })
  const links = quick.getAllByRole('link')
  expect(links.length).toBeLessThanOrEqual(5)
  expect(links.at(-1)?.getAttribute('href')).toBe('/kefu')
})
