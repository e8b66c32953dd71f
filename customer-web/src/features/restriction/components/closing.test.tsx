import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useInfo } from '@/session/info-query'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer } from '@/testing/fake-server'
import { renderPart } from '@/testing/render-app'
import { Closing } from './closing'

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

function Known() {
  return useInfo((info) => info !== null) ? <p>known</p> : null
}

async function show(info: object) {
  startSession('token', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  fakeServer({ 'user/findUserInfo': () => answer(info) })
  await renderPart(
    <>
      <Closing />
      <Known />
    </>,
  )
  await screen.findByText('known')
}

test('an account that is closing says when, and leads to where it is kept', async () => {
  await show({ closesAt: Date.UTC(2027, 0, 5) })
  expect(await screen.findByText('Your account is closing')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Keep my account' }).getAttribute('href')).toContain(
    '/personalInfo',
  )
})

test('any other says nothing', async () => {
  await show({})
  expect(screen.queryByText('Your account is closing')).toBeNull()
})
