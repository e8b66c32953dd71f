import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'

vi.setConfig({ testTimeout: 60_000 })

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: -1 }
const made = Date.UTC(2026, 10, 20, 12)

const flag: Wire['ConductFlag'] = {
  ...{ flagId: 7, reason: 'threats', time: made, appealable: true },
  lapsesAt: Date.UTC(2027, 10, 20, 12),
}

const score: Wire['CreditScore'] = {
  ...{ score: 517, least: 300, most: 850, band: 'fair', day: '2026-11-29', rules: 1, base: 500 },
  facts: [
    { fact: 'age', value: 1234, points: 77, each: 1, per: 10, least: 0, most: 110 },
    { fact: 'conduct', value: 1, points: -60, each: -60, per: 1, least: -120, most: 0 },
  ],
  flags: [flag],
}

type Answers = Parameters<typeof fakeServer>[0]

function serve(more: Answers = {}) {
  return fakeServer({
    'user/findCreditScore': () => answer(score),
    'user/findCreditScoreHistory': ({ query }) =>
      query.get('next') === '5'
        ? answer({ list: [{ day: '2026-11-27', score: 500, band: 'fair', rules: 1 }], next: 0 })
        : answer({
            list: [
              { day: '2026-11-29', score: 517, band: 'fair', rules: 1 },
              { day: '2026-11-28', score: 610, band: 'good', rules: 1 },
            ],
            next: 5,
          }),
    ...more,
  })
}

beforeEach(() => {
  setScreen('phone')
  clearSession()
  startSession('token', user)
})

test('shows the number, what it is not, and each fact with its points and their bounds', async () => {
  serve()
  await renderApp('/creditScore')
  const meter = await screen.findByRole('meter', { name: 'Today’s score' })
  expect(meter.getAttribute('aria-valuenow')).toBe('517')
  expect(screen.getByText(/doesn’t come from a credit bureau/)).toBeTruthy()
  expect(screen.getByText(/never blocks/)).toBeTruthy()
  const age = screen.getByText(/Account age in days/).closest('li')
  expect(age?.textContent).toMatch(/1,234.*1.* point for every .*10.* days, .*110.* at most.*\+77/)
  const conduct = screen.getByText(/Conduct flags/).closest('li')
  expect(conduct?.textContent).toMatch(/60.* points less .*120.* at most.*−60/)
  expect(screen.queryByText(/You are in your demo account/)).toBeNull()
})

test('lists the days, and more on a press', async () => {
  serve()
  await renderApp('/creditScore')
  const table = await screen.findByRole('table')
  expect(within(table).getAllByRole('row')).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(4))
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('sends an appeal once, and shows what was refused', async () => {
  let refused = true
  const asked = serve({
    'user/appealConductFlag': () =>
      refused
        ? refusal('score.appealed')
        : answer({ ...score, flags: [{ ...flag, appealable: false, appealedAt: made }] }),
  })
  await renderApp('/creditScore')
  await userEvent.click(await screen.findByRole('button', { name: 'Appeal' }))
  await userEvent.type(screen.getByLabelText('What do you want us to know?'), '  too few  ')
  await userEvent.click(screen.getByRole('button', { name: 'Send appeal' }))
  expect(await screen.findByText('This is too short or too long.')).toBeTruthy()
  expect(asked.some(({ path }) => path === 'user/appealConductFlag')).toBe(false)
  await userEvent.type(screen.getByLabelText('What do you want us to know?'), 'words, I fear ')
  await userEvent.click(screen.getByRole('button', { name: 'Send appeal' }))
  expect(await screen.findByText(/You can’t appeal against this flag/)).toBeTruthy()
  refused = false
  await userEvent.click(screen.getByRole('button', { name: 'Send appeal' }))
  expect(await screen.findByText('Under review')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Appeal' })).toBeNull()
  const sent = asked.filter(({ path }) => path === 'user/appealConductFlag').at(-1)
  expect(sent?.body).toEqual({ flagId: 7, text: 'too few  words, I fear' })
})

test('a decided appeal says so', async () => {
  const upheld = { ...flag, appealable: false, appealedAt: made, upheldAt: made }
  serve({ 'user/findCreditScore': () => answer({ ...score, flags: [upheld] }) })
  await renderApp('/creditScore')
  expect(await screen.findByText('Upheld')).toBeTruthy()
  expect(screen.queryByText('Under review')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Appeal' })).toBeNull()
})

test('a trader without flags reads nothing of them, and in the demo account what counts', async () => {
  startSession('token', { ...user, type: 5 })
  serve({ 'user/findCreditScore': () => answer({ ...score, flags: [] }) })
  await renderApp('/creditScore')
  expect(await screen.findByText(/You are in your demo account/)).toBeTruthy()
  expect(screen.queryByText('Flags in chat')).toBeNull()
})

test('a failure can be tried again', async () => {
  let fails = true
  serve({ 'user/findCreditScore': () => (fails ? refusal('internal') : answer(score)) })
  await renderApp('/creditScore')
  const again = await screen.findByRole('button', { name: /Try again|Retry/ })
  fails = false
  await userEvent.click(again)
  expect(await screen.findByRole('meter', { name: 'Today’s score' })).toBeTruthy()
})

test('a guest has no score, and is asked for none', async () => {
  startSession('token', { ...user, type: 8 })
  const asked = serve()
  await renderApp('/creditScore')
  expect(await screen.findByText(/Demo accounts have no credit score/)).toBeTruthy()
  expect(asked.some(({ path }) => path.startsWith('user/findCreditScore'))).toBe(false)
})
