import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '@/i18n/i18n'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

const popup = {
  id: 61,
  revision: 1,
  category: 'general',
  severity: 'info',
  title: 'New hours',
  body: '<p>From Monday on.</p>',
  link: '',
  dismissible: true,
  mustAck: false,
  frequency: 'once',
  locale: 'en',
}
const second = { ...popup, id: 62, title: 'New terms', mustAck: true, dismissible: false }

function serve(...popups: object[]) {
  return fakeServer({ ...sampleMarket(), 'popup/findPopupMsgList': () => answer(popups) })
}

const told = (asked: ReturnType<typeof serve>) =>
  asked.filter(({ path }) => path === 'popup/updatePopupSeen').map(({ body }) => body)

// Dialog code is large, so it is loaded before the first test waits for it.
beforeAll(async () => {
  await import('@/ui/sheet/sheet-surface')
  await import('@/features/notice/components/popup-dialog')
}, 60_000)

beforeEach(() => {
  setScreen('desktop')
  clearSession()
})

describe('pop-ups', () => {
  test('come up one after the other, and the server hears of each', async () => {
    const asked = serve(popup, second)
    await renderApp('/home/index')
    expect(await screen.findByRole('dialog', { name: 'New hours' })).toBeTruthy()
    expect(screen.getByText('From Monday on.')).toBeTruthy()
    expect(screen.queryByText('New terms')).toBeNull()
    await userEvent.keyboard('{Escape}')
    expect(await screen.findByRole('dialog', { name: 'New terms' })).toBeTruthy()
    const guestId = expect.any(String)
    expect(told(asked)).toEqual([
      { id: 61, revision: 1, ack: false, guestId },
      { id: 62, revision: 1, ack: false, guestId },
    ])
  })

  test('one that must be confirmed goes by its button alone', async () => {
    const asked = serve(second)
    await renderApp('/home/index')
    await loadTexts()
    const dialog = await screen.findByRole('dialog', { name: 'New terms' })
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    const backdrop = document.querySelector('.MuiDialog-container')
    if (backdrop) await userEvent.click(backdrop)
    expect(document.contains(dialog)).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'I have read this' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(told(asked).at(-1)).toEqual({
      id: 62,
      revision: 1,
      ack: true,
      guestId: expect.any(String),
    })
  })

  test('wait until the screen is one for them, and are not said to be shown before', async () => {
    const asked = serve(popup)
    const { history } = await renderApp('/search')
    await waitFor(() =>
      expect(asked.some(({ path }) => path === 'popup/findPopupMsgList')).toBe(true),
    )
    expect(await screen.findByRole('searchbox')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(told(asked)).toEqual([])
    await act(async () => history.push('/quotes'))
    expect(await screen.findByRole('dialog', { name: 'New hours' })).toBeTruthy()
  })

  test('are asked for anew after a log-in', async () => {
    const asked = serve()
    await renderApp('/home/index')
    const lists = () => asked.filter(({ path }) => path === 'popup/findPopupMsgList')
    await waitFor(() => expect(lists()).toHaveLength(1))
    act(() => startSession('abc', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }))
    await waitFor(() => expect(lists()).toHaveLength(2))
    expect(lists()[0]?.query.get('guestId')).toMatch(/^[0-9a-f]{32}$/)
    expect(lists()[1]?.query.get('guestId')).toBeNull()
  })
})
