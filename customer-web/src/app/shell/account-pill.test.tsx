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

beforeEach(() => {
  setScreen('desktop')
  setBalanceHidden(false)
  useAccount.setState({ statistics: null, positions: null })
  fakeServer({
    'siteMail/findUnreadCount': () => answer({ notices: 0, messages: 0, total: 0 }),
    'siteMail/findSiteMailPage': () => answer(emptyPage),
  })
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

test('a visitor has neither', async () => {
  await renderPart(<TopHeader />)
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy()
  expect(screen.queryByText('USDT')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Deposit' })).toBeNull()
})
