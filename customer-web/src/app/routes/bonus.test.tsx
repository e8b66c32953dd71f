import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Wire } from '@/api/client'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, setScreen } from '@/testing/render-app'

vi.setConfig({ testTimeout: 60_000 })

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: 3 }
const until = Date.UTC(2026, 11, 21)

const offer: Wire['BonusOffer'] = {
  ...{ campaignId: 90001, rule: 'deposit', amount: '200', share: '20', minimum: '100' },
  ...{ days: 60, until },
}

const active: Wire['TraderBonus'] = {
  ...{ bonusId: 7001, rule: 'welcome', state: 'active', amount: '50', remaining: '30' },
  ...{ lost: '20', days: 30, until, expiresAt: until },
}

const gift: Wire['TraderBonus'] = {
  ...{ bonusId: 7002, rule: 'gift', state: 'offered', amount: '25', remaining: '0' },
  ...{ lost: '0', days: 10, until },
}

const list: Wire['BonusList'] = {
  ...{ enabled: true, verified: true, terms: 1, offers: [offer], bonuses: [gift, active] },
}

const serve = (more: Parameters<typeof fakeServer>[0] = {}) =>
  fakeServer({ 'user/findBonusList': () => answer(list), ...more })

beforeEach(() => {
  setScreen('phone')
  clearSession()
  startSession('token', user)
})

test('shows the full terms before a campaign is accepted, and sends their version', async () => {
  const asked = serve({
    'user/acceptBonus': () =>
      answer({
        ...list,
        offers: [],
        bonuses: [{ ...active, bonusId: 7003, rule: 'deposit', state: 'accepted' }],
      }),
  })
  await renderApp('/bonus')
  const offers = await screen.findByRole('region', { name: 'Offered to you' })
  const row = within(offers)
    .getByText(/of a deposit/)
    .closest('li') as HTMLElement
  await userEvent.click(within(row).getByRole('button', { name: 'Read terms and accept' }))
  const sheet = await screen.findByRole('dialog', { name: 'Terms of this bonus' })
  expect(sheet.textContent).toMatch(/20.*% of your first deposit of at least .*100.* USDT/)
  expect(sheet.textContent).toMatch(/never withdraw or transfer/)
  expect(sheet.textContent).toMatch(/expires .*60.* days/)
  expect(sheet.textContent).toMatch(/is reversed/)
  expect(sheet.textContent).toMatch(/version .*1/)
  expect(asked.some(({ path }) => path.includes('acceptBonus'))).toBe(false)
  await userEvent.click(within(sheet).getByRole('button', { name: 'Accept bonus' }))
  await screen.findByText('Waiting for your deposit')
  const sent = asked.find(({ path }) => path.includes('acceptBonus'))
  expect(sent?.body).toEqual({ campaignId: 90001, terms: 1 })
})

test('says what was refused, and keeps the terms open', async () => {
  serve({ 'user/acceptBonus': () => refusal('bonus.over') })
  await renderApp('/bonus')
  const offers = await screen.findByRole('region', { name: 'Offered to you' })
  const row = within(offers)
    .getByText(/for you/)
    .closest('li') as HTMLElement
  await userEvent.click(within(row).getByRole('button', { name: 'Read terms and accept' }))
  const sheet = await screen.findByRole('dialog')
  expect(sheet.textContent).not.toMatch(/Each person gets it once/)
  await userEvent.click(within(sheet).getByRole('button', { name: 'Accept bonus' }))
  await within(sheet).findByText('This bonus is no longer available.')
})

test('on a demo account nothing can be accepted, declined or given up', async () => {
  startSession('token', { ...user, type: 5 })
  serve()
  await renderApp('/bonus')
  await screen.findByText(/Bonuses belong to your real account/)
  for (const name of ['Offered to you', 'Your bonuses'])
    expect(within(screen.getByRole('region', { name })).queryByRole('button')).toBeNull()
})

test('gives up what is left only after a question', async () => {
  const asked = serve({
    'user/declineBonus': () =>
      answer({ ...list, bonuses: [{ ...active, state: 'given_up', remaining: '0' }] }),
  })
  await renderApp('/bonus')
  const own = await screen.findByRole('region', { name: 'Your bonuses' })
  expect(within(own).getByText('30.00')).toBeTruthy()
  await userEvent.click(within(own).getByRole('button', { name: 'Give up' }))
  const dialog = await screen.findByRole('dialog')
  expect(asked.some(({ path }) => path.includes('declineBonus'))).toBe(false)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Give up' }))
  await waitFor(() => expect(within(own).getByText('Given up')).toBeTruthy())
  expect(asked.find(({ path }) => path.includes('declineBonus'))?.body).toMatchObject({
    state: 'active',
  })
  expect(within(own).queryByRole('button')).toBeNull()
})

test('an unverified trader reads what is offered, and is led to the verification', async () => {
  serve({ 'user/findBonusList': () => answer({ ...list, verified: false, bonuses: [] }) })
  await renderApp('/bonus')
  await screen.findByText(/of a deposit/)
  expect(screen.getByRole('link', { name: 'Verify identity' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Read terms and accept' })).toBeNull()
})

test('an app with older terms than the server’s accepts nothing', async () => {
  serve({ 'user/findBonusList': () => answer({ ...list, terms: 2 }) })
  await renderApp('/bonus')
  await screen.findByText(/Reload the page/)
  expect(screen.queryByRole('button', { name: 'Read terms and accept' })).toBeNull()
})

test('what was accepted can be declined before its deposit', async () => {
  const accepted: Wire['TraderBonus'] = { ...active, rule: 'deposit', state: 'accepted' }
  const asked = serve({
    'user/findBonusList': () => answer({ ...list, offers: [], bonuses: [accepted] }),
    'user/declineBonus': () =>
      answer({ ...list, offers: [], bonuses: [{ ...accepted, state: 'declined' }] }),
  })
  await renderApp('/bonus')
  await userEvent.click(await screen.findByRole('button', { name: 'Decline' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Decline' }))
  await screen.findByText('Declined')
  expect(asked.find(({ path }) => path.includes('declineBonus'))?.body).toEqual({
    bonusId: 7001,
    state: 'accepted',
  })
})

test('says where bonuses are not available', async () => {
  serve({
    'user/findBonusList': () => answer({ ...list, enabled: false, offers: [], bonuses: [] }),
  })
  await renderApp('/bonus')
  await screen.findByText('Bonuses aren’t available to you right now.')
})
