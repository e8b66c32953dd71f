import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { eurusd } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { editTicket } from '../../model/ticket-store'
import { LeverageField } from './leverage-field'

const field = <LeverageField product={eurusd} />

async function offered() {
  await userEvent.click(await screen.findByRole('combobox', { name: 'Leverage' }))
  return screen.getAllByRole('option').map(({ textContent }) => textContent)
}

beforeEach(() => {
  startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: -1 })
  editTicket({ leverage: 50 })
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

test('a cap of the country takes the higher leverages away and says so', async () => {
  fakeServer({ 'user/findUserInfo': () => answer({ leverageCaps: { forex: 50 } }) })
  await renderPart(field)
  expect(await screen.findByText(/Up to .*1:50.* in your country of residence/)).toBeTruthy()
  expect(await offered()).toEqual(['1:50'])
})

test('where no cap is in the way nothing is said of one', async () => {
  const asked = fakeServer({
    'user/findUserInfo': () => answer({ leverageCaps: { forex: 100, crypto: 2 } }),
  })
  await renderPart(field)
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(await offered()).toEqual(['1:50', '1:100'])
  expect(screen.queryByText(/country of residence/)).toBeNull()
})

test('nothing is offered while the limit is unknown', async () => {
  const asked = fakeServer({ 'user/findUserInfo': () => ({ httpStatus: 503 }) })
  await renderPart(field)
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  expect(screen.getByText('Leverage')).toBeTruthy()
  expect(screen.queryByRole('combobox')).toBeNull()
})

test('the ceiling of the account takes the higher leverages away and says so', async () => {
  fakeServer({ 'user/findUserInfo': () => answer({ leverageCaps: {}, leverageCeiling: 50 }) })
  await renderPart(field)
  expect(await screen.findByText(/Up to .*1:50.* on this account/)).toBeTruthy()
  expect(await offered()).toEqual(['1:50'])
})

test('the lowest leverage stays below every ceiling', async () => {
  fakeServer({ 'user/findUserInfo': () => answer({ leverageCaps: {}, leverageCeiling: 5 }) })
  await renderPart(field)
  expect(await offered()).toEqual(['1:50'])
})
