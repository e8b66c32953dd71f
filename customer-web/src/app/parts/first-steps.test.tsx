import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer } from '@/testing/fake-server'
import { emptyPage } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { FirstSteps } from './first-steps'

const trader = (userId: string, authStatus: number, type = 1) =>
  startSession('token', { userId, userName: 'al•••', type, authStatus })

const server = (state?: string, fills: object[] = []) =>
  fakeServer({
    'recharge/findRechargePage': () => answer({ ...emptyPage, list: state ? [{ state }] : [] }),
    'trade/findFillPage': () => answer({ ...emptyPage, list: fills }),
  })

beforeEach(() => {
  clearSession()
  storage.remove('firstSteps')
  setScreen('phone')
})

test('a new trader starts with the identity, and may put the card away for this visit', async () => {
  trader('11', -1)
  server()
  await renderPart(<FirstSteps />)
  const card = within(await screen.findByRole('region', { name: 'First steps' }))
  expect(card.getByText('0 of 3 done')).toBeTruthy()
  expect(card.getByRole('link').getAttribute('href')).toBe('/authenticate')
  await userEvent.click(card.getByRole('button', { name: 'Hide for now' }))
  expect(screen.queryByRole('region')).toBeNull()
  expect(storage.read('firstSteps')).toBeNull()
})

test('a verified trader is led to the first deposit, and then to the first trade', async () => {
  trader('12', 3)
  server('in_review')
  const first = await renderPart(<FirstSteps />)
  expect((await screen.findByRole('link', { name: 'Deposit' })).getAttribute('href')).toBe(
    '/deposite',
  )
  first.unmount()
  server('credited')
  await renderPart(<FirstSteps />)
  expect(await screen.findByText('2 of 3 done')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Trade' }).getAttribute('href')).toBe('/trade')
})

test('a trader who has done all does not see it, and is not asked about again', async () => {
  trader('13', 3)
  const asked = server('credited', [{}])
  const first = await renderPart(<FirstSteps />)
  await waitFor(() => expect(storage.read('firstSteps')).toBe('13'))
  expect(screen.queryByRole('region')).toBeNull()
  first.unmount()
  const before = asked.length
  await renderPart(<FirstSteps />)
  expect(asked).toHaveLength(before)
})

test('neither visitors nor demo accounts have first steps', async () => {
  const asked = server()
  const first = await renderPart(<FirstSteps />)
  expect(screen.queryByRole('region')).toBeNull()
  first.unmount()
  trader('14', -1, 8)
  await renderPart(<FirstSteps />)
  expect(screen.queryByRole('region')).toBeNull()
  expect(asked).toEqual([])
})
