import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearSession, startSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { renderPart } from '@/testing/render-app'
import { PositionModeChoice } from './position-mode-choice'

const choice = (name: RegExp) => screen.findByRole<HTMLInputElement>('radio', { name })

beforeEach(() => startSession('token', { userId: '1', userName: 'a', type: 1, authStatus: -1 }))

afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

test('a press changes how positions are kept, and the app knows from then on', async () => {
  let netting = false
  const asked = fakeServer({
    'user/findUserInfo': () => answer({ netting, leverageCaps: {} }),
    'trade/updateAccountMode': ({ body }) => {
      netting = (body as { netting: boolean }).netting
      return answer({ netting })
    },
  })
  await renderPart(<PositionModeChoice />)
  expect((await choice(/^Hedging/)).checked).toBe(true)
  await userEvent.click(await choice(/^Netting/))
  await waitFor(() =>
    expect(asked.filter(({ path }) => path === 'user/findUserInfo')).toHaveLength(2),
  )
  expect((await choice(/^Netting/)).checked).toBe(true)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a refusal is said in words, and the choice stays as it was', async () => {
  fakeServer({
    'user/findUserInfo': () => answer({ netting: false, leverageCaps: {} }),
    'trade/updateAccountMode': () => refusal('account.not_flat'),
  })
  await renderPart(<PositionModeChoice />)
  await userEvent.click(await choice(/^Netting/))
  expect((await screen.findByRole('alert')).textContent).toMatch(/Close all positions/)
  expect((await choice(/^Hedging/)).checked).toBe(true)
})
