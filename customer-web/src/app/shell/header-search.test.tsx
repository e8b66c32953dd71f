import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderPart, setScreen } from '@/testing/render-app'
import { HeaderSearch } from './header-search'

// Dialogs are slow in jsdom; these tests don't measure speed.
vi.setConfig({ testTimeout: 30_000 })
beforeAll(() => import('@/ui/sheet/sheet-surface'), 30_000)

beforeEach(() => {
  setScreen('desktop')
  fakeServer(sampleMarket())
})
afterEach(() => vi.unstubAllGlobals())

const dialog = () => screen.findByRole('dialog', { name: 'Search products' })

test.each(['/', '{Control>}k{/Control}'])(
  '%s opens the search with the field focused',
  async (keys) => {
    await renderPart(<HeaderSearch />)
    await userEvent.keyboard(keys)
    const field = await within(await dialog()).findByRole('searchbox')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect((field as HTMLInputElement).value).toBe('')
  },
)

test('a slash typed into a field stays there', async () => {
  await renderPart(
    <>
      <HeaderSearch />
      <input aria-label="Note" />
    </>,
  )
  const note = screen.getByRole<HTMLInputElement>('textbox', { name: 'Note' })
  await userEvent.type(note, 'a/b')
  expect(note.value).toBe('a/b')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Enter opens the best match and closes the search', async () => {
  const { history } = await renderPart(<HeaderSearch />)
  await userEvent.click(screen.getByRole('button', { name: 'Search products' }))
  await userEvent.type(await within(await dialog()).findByRole('searchbox'), 'xau')
  await screen.findByRole('list', { name: 'Products found' })
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(history.location.pathname).toBe('/pc/trade'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('before typing it offers categories and favourites', async () => {
  await renderPart(<HeaderSearch />)
  await userEvent.click(screen.getByRole('button', { name: 'Search products' }))
  const groups = await within(await dialog()).findByRole('group', { name: 'Product groups' })
  await userEvent.click(within(groups).getByRole('button', { name: 'Metals' }))
  const list = await screen.findByRole('list', { name: 'Metals' })
  expect(within(list).getByText('XAUUSD')).toBeTruthy()
  expect(within(list).queryByText('EURUSD')).toBeNull()
})
