// Orders that wait: placed, edited, cancelled and filled, on a desktop and on a phone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { picture } from './lib/pictures.mjs'
import { startReplayed } from './lib/replayed.mjs'

const EURUSD = 1

let stage

before(async () => {
  stage = await startReplayed()
})
after(() => stage?.stop())

/** The ticket's buy side, and the ask as it shows it. */
async function askIn(ticket) {
  const text = await ticket.getByRole('radio', { name: /^Buy/ }).innerText()
  return Number(/\d+\.\d+/.exec(text.replaceAll(',', ''))[0])
}

/** Fills in and places an order; the prices are parts of the ask. */
async function place(page, ticket, kind, side, { price, limit }) {
  await ticket.getByRole('radio', { name: kind, exact: true }).check()
  await ticket.getByRole('radio', { name: new RegExp(`^${side}`) }).click()
  await ticket.getByLabel('Volume', { exact: true }).fill('0.10')
  await picture(page, `ticket-${kind}`)
  // Read last of all, so that the market has not gone past the price when it is sent.
  const ask = await askIn(ticket)
  const field = kind === 'Limit' ? 'Limit price' : 'Stop price'
  await ticket.getByLabel(field, { exact: true }).fill((ask * price).toFixed(5))
  if (limit) await ticket.getByLabel('Limit price', { exact: true }).fill((ask * limit).toFixed(5))
  const name = `${side} ${kind.toLowerCase()}`
  await ticket.getByRole('button', { name: `Place ${name.toLowerCase()} at` }).click()
  await page.getByText(new RegExp(`${name} 0.10 EURUSD placed at`)).waitFor()
}

/** Fills in and places two orders of which one ends the other; the prices are parts of the ask. */
async function placePair(page, ticket, side, { limit, stop }) {
  await ticket.getByRole('radio', { name: 'OCO', exact: true }).check()
  await ticket.getByRole('radio', { name: new RegExp(`^${side}`) }).click()
  await ticket.getByLabel('Volume', { exact: true }).fill('0.20')
  await picture(page, 'ticket-oco')
  const ask = await askIn(ticket)
  const leg = (kind) => ticket.getByRole('group', { name: `${side} ${kind}` })
  await leg('limit')
    .getByLabel('Limit price', { exact: true })
    .fill((ask * limit).toFixed(5))
  await leg('stop')
    .getByLabel('Stop price', { exact: true })
    .fill((ask * stop).toFixed(5))
  await ticket.getByRole('button', { name: 'Place both orders' }).click()
  await page.getByText(`${side} limit and ${side} stop 0.20 EURUSD placed as a pair`).waitFor()
}

for (const width of [1440, 390]) {
  const phone = width === 390

  test(`at ${width} px orders wait, are edited, cancelled and filled`, () =>
    stage.journey('orders', width, async (trader) => {
      const { page } = trader
      await trader.trade(EURUSD)
      const first = {
        Limit: ['Sell', 1.003],
        Stop: ['Buy', 1.004],
        'Stop-limit': ['Buy', 1.005, 1.006],
      }
      for (const [kind, [side, price, limit]] of Object.entries(first)) {
        await place(page, await trader.ticket(), kind, side, { price, limit })
      }
      // Prices fall: this one is reached soon.
      await place(page, await trader.ticket(), 'Limit', 'Buy', { price: 0.9995 })
      await page.getByText(/Buy limit 0.10 EURUSD filled at/).waitFor({ timeout: 30_000 })
      await picture(page, 'chart')
      // The rising leg of this pair stays out of reach; so do both legs of the other one.
      await placePair(page, await trader.ticket(), 'Sell', { limit: 1.01, stop: 0.9995 })
      await placePair(page, await trader.ticket(), 'Buy', { limit: 0.9, stop: 1.02 })
      await page.getByText(/Sell stop 0.20 EURUSD filled at/).waitFor({ timeout: 30_000 })

      await page.getByRole('tab', { name: /Pending/ }).click()
      const rows = phone ? page.getByRole('article') : page.locator('tbody tr')
      const one = (name) => rows.filter({ hasText: name })
      await one('Buy stop-limit').waitFor()
      await one('Sell stop').waitFor({ state: 'detached' })
      assert.equal(await rows.count(), 5)
      assert.equal(await one('OCO').count(), 2)
      await picture(page, 'pending')

      await one('OCO').first().getByRole('button', { name: 'Cancel both' }).click()
      await page.getByText(/EURUSD: Buy .* and the order paired with it cancelled/).waitFor()
      await one('OCO').first().waitFor({ state: 'detached' })
      assert.equal(await rows.count(), 3)

      await one('Sell limit').getByRole('button', { name: 'Edit' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Limit price', { exact: true }).fill('1.23456')
      await picture(page, 'edit')
      await sheet.getByRole('button', { name: 'Save' }).click()
      await page.getByText('EURUSD: order changed').waitFor()
      await one('Sell limit').getByText('1.23456').first().waitFor()

      await one('Buy stop-limit').getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('EURUSD: Buy stop-limit cancelled').waitFor()
      await one('Buy stop-limit').waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Cancel all' }).click()
      await picture(page, 'cancel-all')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
      await page.getByText(/^No pending orders/).waitFor()
    }))
}
