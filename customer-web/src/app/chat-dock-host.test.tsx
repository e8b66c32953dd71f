import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'
import { closeChatDock } from './parts/chat-dock-store'

vi.setConfig({ testTimeout: 30_000 })

beforeEach(() => {
  clearSession()
  setScreen('desktop')
  fakeServer({
    ...sampleMarket(),
    '/kefu/kefuApi/findConfig': () =>
      answer({ type: 1, open: true, hours: [], holidays: [], targetSeconds: 300, questions: [] }),
    '/kefu/kefuApi/findMessageList': () =>
      answer({ list: [], more: false, unread: 0, agentGot: 0, agentRead: 0, readUpTo: 0 }),
  })
})

afterEach(() => {
  act(closeChatDock)
  vi.unstubAllGlobals()
})

const dock = () => screen.queryByRole('complementary', { name: 'Support' })

test('the chat opens beside the page and stays from page to page, until it is closed', async () => {
  const { history } = await renderApp('/quotes')
  expect(dock()).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Support' }))
  await waitFor(() => expect(dock()).toBeTruthy())
  expect(history.location.pathname).toBe('/quotes')
  await act(async () => history.push('/proof'))
  expect(dock()).toBeTruthy()
  const close = within(dock() as HTMLElement).getByRole('button', { name: 'Close' })
  await userEvent.click(close)
  await waitFor(() => expect(dock()).toBeNull())
})

test('Escape inside it closes it, Escape elsewhere does not', async () => {
  await renderApp('/quotes')
  await userEvent.click(await screen.findByRole('button', { name: 'Support' }))
  await waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(dock()).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Support' }))
  await waitFor(() => expect(dock()).toBeTruthy())
  act(() => screen.getByRole('button', { name: 'Support' }).focus())
  await userEvent.keyboard('{Escape}')
  expect(dock()).toBeTruthy()
})

test('the page of the chat has no second one beside it', async () => {
  const { history } = await renderApp('/quotes')
  await userEvent.click(await screen.findByRole('button', { name: 'Support' }))
  await waitFor(() => expect(dock()).toBeTruthy())
  await act(async () => history.push('/kefu'))
  await waitFor(() => expect(dock()).toBeNull())
})
