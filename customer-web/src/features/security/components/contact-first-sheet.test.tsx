import { screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startI18n, withTexts } from '@/i18n/i18n'
import { answer, fakeServer } from '@/testing/fake-server'
import { renderPart } from '@/testing/render-app'
import { FreezeSheet } from './freeze-sheet'
import { PasswordSheet } from './password-sheet'
import { SecuritySheet } from './security-sheet'

beforeAll(async () => {
  startI18n(() => {})
  await withTexts(async () => {}, ['account'])
})
afterEach(() => vi.unstubAllGlobals())

const nothing = async () => {}
const close = () => {}
const sheets = {
  freeze: <FreezeSheet onDone={close} onClose={close} />,
  password: (
    <PasswordSheet title="Phrase" text="" confirmLabel="Save" run={nothing} onClose={close} />
  ),
  proof: (
    <SecuritySheet
      act="close_account"
      title="Close"
      text=""
      confirmLabel="Close"
      run={nothing}
      onClose={close}
    />
  ),
}

function serve(mail: string) {
  fakeServer({
    'user/findSecurityInfo': () => answer({ mail, phone: '' }),
    'userFactor/findFactorInfo': () =>
      answer({ passkeys: [], recoveryCodes: 0, recoveryAllowed: false }),
  })
}

test.each(Object.entries(sheets))(
  'a wallet alone can’t fill in the sheet of %s, and is led to a contact',
  async (_, sheet) => {
    serve('')
    await renderPart(sheet)
    const way = await screen.findByRole('link', { name: 'Add a contact' })
    expect(way.getAttribute('href')).toContain('/bindContact')
    expect(document.querySelector('input')).toBeNull()
  },
)

test.each(Object.entries(sheets))('with a contact the sheet of %s asks', async (_, sheet) => {
  serve('ma•••@mail.com')
  await renderPart(sheet)
  await vi.waitFor(() => expect(document.querySelector('input')).not.toBeNull())
  expect(screen.queryByText('Add a contact')).toBeNull()
})
