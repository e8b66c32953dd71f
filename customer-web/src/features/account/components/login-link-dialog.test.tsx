import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { clearSession, startSession, useSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderPart, setScreen } from '@/testing/render-app'
import { dropLoginLink, loginLinkAddress, takeLoginLink, useLoginLink } from '../model/login-link'
import LoginLinkDialog from './login-link-dialog'

const opened = {
  token: 'linked',
  user: { userId: 9, userName: 'ev***l@mail.com', mail: '', type: 1, authStatus: -1 },
}

beforeEach(() => {
  setScreen('desktop')
  clearSession()
  dropLoginLink()
})

describe('the address', () => {
  test.each(['/?token=abc&x=1#/quotes', '/?x=1#/quotes?token=abc'])(
    '%s loses the code at once',
    (address) => {
      window.history.replaceState(null, '', address)
      takeLoginLink()
      expect(useLoginLink.getState().code).toBe('abc')
      expect(window.location.href).not.toContain('token')
      expect(window.location.search).toBe('?x=1')
      expect(window.location.hash).toBe('#/quotes')
    },
  )

  test('without a code asks nothing', () => {
    window.history.replaceState(null, '', '/?token=#/quotes')
    takeLoginLink()
    expect(useLoginLink.getState().code).toBeNull()
    expect(window.location.search).toBe('')
  })

  test('that we make carries the code behind #', () => {
    expect(
      loginLinkAddress('a_b-c', '/quotes', { origin: 'https://candor.test', pathname: '/' }),
    ).toBe('https://candor.test/#/quotes?token=a_b-c')
  })
})

test('nothing is exchanged before the trader agrees', async () => {
  const asked = fakeServer({})
  useLoginLink.setState({ code: 'abc' })
  await renderPart(<LoginLinkDialog code="abc" onEntered={vi.fn()} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(useLoginLink.getState().code).toBeNull()
  expect(asked).toHaveLength(0)
})

test('the account is named before it becomes the one of this browser', async () => {
  startSession('old', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  const asked = fakeServer({ 'user/loginByCode': () => answer(opened) })
  const onEntered = vi.fn()
  await renderPart(<LoginLinkDialog code="abc" onEntered={onEntered} />)
  expect(await screen.findByText('al•••')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('ev•••l@mail.com')).toBeTruthy()
  expect(asked[0]?.body).toMatchObject({ code: 'abc' })
  expect(useSession.getState().token).toBe('old')
  await userEvent.click(screen.getByRole('button', { name: 'Yes, continue' }))
  expect(onEntered).toHaveBeenCalledOnce()
  expect(useSession.getState().token).toBe('linked')
  expect(storage.read('userInfo')?.userId).toBe('9')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ path: 'user/logout', token: 'old' }))
})

test('a stranger’s account is left, and its session ended', async () => {
  startSession('old', { userId: '7', userName: 'al•••', type: 1, authStatus: 3 })
  const asked = fakeServer({ 'user/loginByCode': () => answer(opened) })
  await renderPart(<LoginLinkDialog code="abc" onEntered={vi.fn()} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Not mine' }))
  expect(useSession.getState().token).toBe('old')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ path: 'user/logout', token: 'linked' }))
})

test('a used code says so and offers no second try', async () => {
  fakeServer({ 'user/loginByCode': () => refusal('login.link_used') })
  await renderPart(<LoginLinkDialog code="abc" onEntered={vi.fn()} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/expired or was already used/)
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
