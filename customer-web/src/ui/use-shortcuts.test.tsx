import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { setPreferences } from '@/theme/preferences'
import { useShortcuts } from './use-shortcuts'

const act = vi.fn()

function Screen({ dialog = false }) {
  useShortcuts({ b: act, '?': act })
  return (
    <>
      <input aria-label="Volume" />
      {dialog && <div role="dialog" aria-label="Open" />}
    </>
  )
}

beforeEach(() => {
  act.mockClear()
  setPreferences({ shortcuts: true })
})

test('a key acts, in either case and on keyboards of other scripts', async () => {
  render(<Screen />)
  await userEvent.keyboard('b')
  await userEvent.keyboard('B')
  await userEvent.keyboard('?')
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'и', code: 'KeyB' }))
  expect(act).toHaveBeenCalledTimes(4)
})

test('other keys, keys in a field and keys with a modifier do not', async () => {
  render(<Screen />)
  await userEvent.keyboard('x')
  await userEvent.keyboard('{Control>}b{/Control}{Alt>}b{/Alt}{Meta>}b{/Meta}')
  await userEvent.type(screen.getByRole('textbox'), 'b?')
  expect(act).not.toHaveBeenCalled()
})

test('an open dialog keeps its keys', async () => {
  render(<Screen dialog />)
  await userEvent.keyboard('b')
  expect(act).not.toHaveBeenCalled()
})

test('nothing acts while shortcuts are off', async () => {
  setPreferences({ shortcuts: false })
  render(<Screen />)
  await userEvent.keyboard('b')
  expect(act).not.toHaveBeenCalled()
})
