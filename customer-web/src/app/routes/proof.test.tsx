import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import fixtures from '@/features/receipt/model/receipts.fixture.json'
import { clearSession } from '@/session/session-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { sampleMarket } from '@/testing/market-sample'
import { renderApp, setScreen } from '@/testing/render-app'

const receipt = fixtures['EURJPY rest closed']
const heads = { tape: receipt.quote.head, fills: receipt.fill.head }

/** Publishes the fixture's heads, changed by `change`. */
function publish(change: (head: typeof heads.tape) => object = (head) => head) {
  return fakeServer({
    ...sampleMarket(),
    'proof/findHeadPage': ({ query }) =>
      answer({
        publicKey: receipt.publicKey,
        list: [change(heads[query.get('chain') as keyof typeof heads])],
      }),
  })
}

const choose = async (text: string) =>
  userEvent.upload(
    screen.getByLabelText('Choose a file'),
    new File([text], 'receipt.json', { type: 'application/json' }),
  )

beforeEach(() => {
  setScreen('desktop')
  clearSession()
})

test('shows anybody the newest heads of prices and of deals', async () => {
  const asked = publish()
  await renderApp('/proof')
  const panel = await screen.findByRole('tabpanel', { name: 'Prices' })
  expect(await within(panel).findByText(`${heads.tape.count} quotes`)).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Trades' }))
  expect(await screen.findByText(`${heads.fills.count} trades`)).toBeTruthy()
  expect(asked.filter(({ path }) => path === 'proof/findHeadPage').at(-1)?.token).toBe('')
})

test('begins with the chain that the address names, and with prices without one it knows', async () => {
  publish()
  const { unmount } = await renderApp('/proof?chain=fills')
  await screen.findByRole('tabpanel', { name: 'Trades' })
  unmount()
  await renderApp('/proof?chain=nothing')
  await screen.findByRole('tabpanel', { name: 'Prices' })
})

test('the home page shows visitors the newest hash of trades, and leads to its check', async () => {
  publish()
  await renderApp('/home/index')
  expect(await screen.findByText(heads.fills.hash)).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Check it on this device' })
  expect(link.getAttribute('href')).toBe('/proof?chain=fills')
})

test('before the first trade the home page shows no hash', async () => {
  fakeServer({
    ...sampleMarket(),
    'proof/findHeadPage': () => answer({ publicKey: receipt.publicKey, list: [] }),
  })
  await renderApp('/home/index')
  await screen.findByRole('heading', { name: 'How a proof works' })
  expect(await screen.findAllByRole('link', { name: 'How we prove every price' })).toBeTruthy()
  expect(screen.queryByText('Batch hash')).toBeNull()
})

test('recomputes the chain on a press', async () => {
  publish()
  await renderApp('/proof')
  await userEvent.click(
    await screen.findByRole('button', { name: 'Check the chain on this device' }),
  )
  expect(await screen.findByText(/1 hash recomputed on this device, back to/)).toBeTruthy()
  expect(screen.getByText(/The chain is complete/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Check/ })).toBeNull()
})

test('names a head that was altered', async () => {
  publish((head) => ({ ...head, count: head.count + 1 }))
  await renderApp('/proof')
  await userEvent.click(
    await screen.findByRole('button', { name: 'Check the chain on this device' }),
  )
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(/The hash of batch .*#1.* doesn’t match its contents/)
})

test('says why there are no heads, and asks again', async () => {
  const asked = fakeServer({
    ...sampleMarket(),
    'proof/findHeadPage': () => refusal('internal', { httpStatus: 500, traceId: 'abc123' }),
  })
  await renderApp('/proof')
  const alert = await screen.findByRole('alert')
  const before = asked.length
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(asked.length).toBeGreaterThan(before))
})

test('checks a receipt file here, and its heads against the published ones', async () => {
  const asked = publish()
  await renderApp('/proof')
  await screen.findByText('Check a receipt file')
  await choose(JSON.stringify(receipt))
  expect(await screen.findByText('The price checks out.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^\d+ checks/ }))
  expect(screen.getByText('Its hashes and key match the published ones')).toBeTruthy()
  expect(asked.every(({ body }) => body === null)).toBe(true)
})

test('a changed file names what does not fit, and a published head that is another is one', async () => {
  publish((head) => ({ ...head, hash: '00'.repeat(32) }))
  await renderApp('/proof')
  await screen.findByText('Check a receipt file')
  await choose(JSON.stringify(receipt))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Its hashes and key match the published ones')
  await choose(JSON.stringify({ ...receipt, fill: { ...receipt.fill, profit: '9' } }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/Trade \d+ is in its/))
})

test('refuses a file that is no receipt', async () => {
  publish()
  await renderApp('/proof')
  await screen.findByText('Check a receipt file')
  await choose('{}')
  expect((await screen.findByRole('alert')).textContent).toContain('is not a Candor receipt')
  expect(screen.queryByText('The price checks out.')).toBeNull()
})
