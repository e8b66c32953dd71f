import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { serverNow } from '@/api/request-headers'
import { LoginForm } from '@/features/account/components/login-form'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderApp, renderPart, setScreen } from '@/testing/render-app'
import type { Restriction } from '../api/restrictions'
import { Restrictions } from './restrictions'

vi.setConfig({ testTimeout: 30_000 })

const user = { userId: '10000001', userName: 'ma•••a@mail.com', type: 1, authStatus: -1 }
const hour = 3_600_000

function serve(restrictions: Restriction[] | undefined) {
  return fakeServer({
    'common/platformRunningStatus': () => answer(1),
    'user/findUserInfo': () => answer({ ...user, userId: 10000001, restrictions }),
    'user/findSecurityInfo': () =>
      answer({ mail: 'ma***a@mail.com', phone: '', payPasswordSet: false }),
  })
}

beforeEach(() => {
  setScreen('phone')
  startSession('token', user)
})

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

describe('what staff keep a trader from', () => {
  test('is told with its reason, its end and what stays possible', async () => {
    const until = Date.UTC(2099, 4, 1, 12)
    serve([
      { kind: 'trade', reason: 'unusual_activity', until },
      { kind: 'withdraw', reason: 'legal_order' },
    ])
    await renderPart(<Restrictions />)
    expect(await screen.findByText('New orders are restricted')).toBeTruthy()
    expect(screen.getByText('Reason: unusual activity on your account')).toBeTruthy()
    expect(screen.getByText(/^Until$|^Until (?!customer)/).textContent).toMatch(/2099/)
    expect(screen.getByText(/close positions and cancel orders/)).toBeTruthy()
    expect(screen.getByText('Withdrawals are restricted')).toBeTruthy()
    expect(screen.getByText('Reason: a legal order')).toBeTruthy()
    expect(screen.getByText('Until customer service lifts it')).toBeTruthy()
  })

  test('only of the kind that a place is about, and not when it is over', async () => {
    serve([
      { kind: 'trade', reason: 'other', until: serverNow() - hour },
      { kind: 'withdraw', reason: 'other', until: serverNow() + hour },
    ])
    await renderPart(
      <>
        <Restrictions kind="trade" />
        <Restrictions kind="withdraw" />
      </>,
    )
    expect(await screen.findByText('Withdrawals are restricted')).toBeTruthy()
    expect(screen.queryByText('New orders are restricted')).toBeNull()
  })

  test.each(['/myCenter', '/securitySet'])('stands on %s', async (path) => {
    serve([{ kind: 'withdraw', reason: 'payment_dispute' }])
    await renderApp(path)
    expect(await screen.findByText('Withdrawals are restricted')).toBeTruthy()
    expect(screen.getByText('Reason: a payment is disputed')).toBeTruthy()
  })

  test('is nothing for nearly everybody', async () => {
    serve(undefined)
    await renderApp('/securitySet')
    expect(await screen.findByText('ma•••a@mail.com')).toBeTruthy()
    expect(screen.queryByText(/restricted/)).toBeNull()
  })
})

describe('a refused log-in', () => {
  async function logIn(args: Record<string, string>) {
    clearSession()
    fakeServer({ 'user/login': () => refusal('restriction.login', { args }) })
    await renderPart(<LoginForm onDone={() => {}} />)
    await userEvent.type(screen.getByRole('textbox'), 'anna@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse battery')
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
    return screen.findByRole('alert')
  }

  test('says why and until when', async () => {
    const note = await logIn({ why: 'unusual_activity', until: String(Date.UTC(2099, 4, 1, 12)) })
    expect(note.textContent).toMatch(/can’t log in.*unusual activity.*Until.*2099/)
  })

  test('says when there is no end', async () => {
    const note = await logIn({ why: 'legal_order' })
    expect(note.textContent).toMatch(/legal order.*Until customer service lifts it/)
  })
})
