import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { clearSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { answer, fakeServer } from '@/testing/fake-server'
import { sampleProduct } from '@/testing/market-sample'
import { renderPart } from '@/testing/render-app'
import { writeIds } from '../model/stored-ids'
import { Watchlist } from './watchlist'

const euro = sampleProduct({ productId: 1, productNo: 'EURUSD', type: 'forex' })
const gold = sampleProduct({ productId: 101, productNo: 'XAUUSD', type: 'metal' })

beforeEach(() => {
  clearSession()
  storage.write('favourites', [])
  fakeServer({
    'api/findProductList': () => answer([euro, gold]),
    'api/fp24hp': () => answer([]),
    'api/getMarketStatus': () => answer({ marketTime: Date.now(), products: [] }),
  })
})

const on = async (list: string) =>
  expect(await screen.findByRole('button', { name: list, pressed: true })).toBeTruthy()
const rows = async () =>
  within(await screen.findByRole('list'))
    .getAllByRole('button', { name: /^(EURUSD|XAUUSD)$/ })
    .map(({ textContent }) => textContent)

test('begins with the list that the chosen product stands in', async () => {
  await renderPart(<Watchlist chosen={101} onPick={vi.fn()} />)
  await screen.findByText('XAUUSD')
  await on('Metals')
  expect(await rows()).toEqual(['XAUUSD'])
  await userEvent.click(screen.getByRole('button', { name: 'Forex' }))
  await on('Forex')
  expect(await rows()).toEqual(['EURUSD'])
})

test('begins with the favourites when it is one of them', async () => {
  writeIds('favourites', [101, 1])
  await renderPart(<Watchlist chosen={101} onPick={vi.fn()} />)
  await screen.findByText('XAUUSD')
  await on('Favourites')
  expect(await rows()).toEqual(['XAUUSD', 'EURUSD'])
})

test('searches through all groups, and says when nothing matches', async () => {
  await renderPart(<Watchlist chosen={101} onPick={vi.fn()} />)
  await screen.findByText('XAUUSD')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Symbol or name' }), 'eurusd')
  expect(await rows()).toEqual(['EURUSD'])
  await userEvent.type(screen.getByRole('searchbox'), 'zzz')
  expect(await screen.findByText(/No match for/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Metals' }))
  expect(await rows()).toEqual(['XAUUSD'])
})

test('arrows move the choice, and stop at the ends', async () => {
  writeIds('favourites', [101, 1])
  const pick = vi.fn()
  await renderPart(<Watchlist chosen={101} onPick={pick} />)
  const first = await screen.findByRole('button', { name: 'XAUUSD' })
  first.focus()
  await userEvent.keyboard('{ArrowUp}')
  expect(pick).not.toHaveBeenCalled()
  await userEvent.keyboard('{ArrowDown}')
  expect(pick).toHaveBeenCalledExactlyOnceWith(1)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'EURUSD' }))
})

test('sorts by symbol', async () => {
  writeIds('favourites', [101, 1])
  await renderPart(<Watchlist chosen={101} onPick={vi.fn()} />)
  await screen.findByText('XAUUSD')
  await userEvent.click(screen.getByRole('button', { name: 'Product' }))
  expect(await rows()).toEqual(['EURUSD', 'XAUUSD'])
})

test('a star adds to the favourites without choosing', async () => {
  const pick = vi.fn()
  await renderPart(<Watchlist chosen={101} onPick={pick} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Add XAUUSD to favourites' }))
  expect(await screen.findByRole('button', { name: 'Remove XAUUSD from favourites' })).toBeTruthy()
  expect(pick).not.toHaveBeenCalled()
})
