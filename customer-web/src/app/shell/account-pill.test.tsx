import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useAccount } from '@/live/account-store'
import { clearSession, startSession } from '@/session/session-store'
import { setBalanceHidden } from '@/storage/balance-hidden'
import { answer, fakeServer } from '@/testing/fake-server'
import { emptyPage } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { TopHeader } from './top-header'

const start = (type: number) =>
  startSession('token', { userId: '7', userName: 'al•••', type, authStatus: 3 })

const statistics = {
  balance: '6231.85',
  zengjin: '0',
  prepaidAmount: '0',
  totalProfit: '0',
  usablePrepaid: '6231.85',
  netValue: '6284.15',
}

const mail = {
  'siteMail/findUnreadCount': () => answer({ notices: 0, messages: 0, total: 0 }),
  'siteMail/findSiteMailPage': () => answer(emptyPage),
}

beforeEach(() => {
  setScreen('desktop')
  setBalanceHidden(false)
  useAccount.setState({ statistics: null, positions: null })
  fakeServer(mail)
})
afterEach(clearSession)

test('the header has the real account with its equity, and a way to deposit', async () => {
  start(1)
  await renderPart(<TopHeader />)
  const pill = screen.getByRole('button', { name: /^Real.*Equity/ })
  act(() => useAccount.setState({ statistics }))
  expect(pill.textContent).toContain('6,284.15')
  act(() => setBalanceHidden(true))
  expect(pill.textContent).not.toContain('6,284.15')
  expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposite')
})

test('a demo account is topped up there', async () => {
  start(5)
  await renderPart(<TopHeader />)
  expect(screen.getByRole('button', { name: /^DEMO/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Top up demo' }).getAttribute('href')).toBe(
    '/switchAccount',
  )
  expect(screen.queryByRole('link', { name: 'Deposit' })).toBeNull()
})

test.each([
  [1, { accountNumber: 1 }, 'Real'],
  [1, { accountNumber: 3 }, 'Real 3'],
  [1, { accountNumber: 2, accountName: 'Swing' }, 'Swing'],
  [5, { accountNumber: 1 }, 'DEMO'],
  [5, { accountNumber: 2 }, 'Demo 2'],
])('the account in use has its name there: type %s, %o', async (type, info, name) => {
  start(type)
  fakeServer({ ...mail, 'user/findUserInfo': () => answer(info) })
  await renderPart(<TopHeader />)
  expect(await screen.findByRole('button', { name: new RegExp(`^${name}\\s*Equity`) })).toBeTruthy()
})

test('a visitor has neither', async () => {
  await renderPart(<TopHeader />)
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
  expect(screen.queryByText('USDT')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Deposit' })).toBeNull()
})
