// Orders that wait: placed, edited, cancelled and filled, on a desktop and on a phone.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { writeRecording } from './lib/recording.mjs'
import { startServer } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

const EURUSD = 1

let browser
let server
let scratch
const shots = process.env.SHOTS

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'candor-recording-'))
  browser = await launch()
  server = await startServer({
    env: {
      CANDOR_FEED: `replay:${writeRecording(scratch)}`,
      CANDOR_FEED_SPEED: '20',
      CANDOR_FEED_START: '20m',
    },
  })
})
after(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

/** Pictures for the eye, where a folder for them is named. */
async function picture(page, name) {
  if (!shots) return
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme })
    await page.evaluate((mode) => {
      document.documentElement.dataset.theme = mode
    }, theme)
    await page.waitForTimeout(200)
    await page.screenshot({ path: join(shots, `${name}-${theme}.png`) })
  }
}

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
  const ask = await askIn(ticket)
  const field = kind === 'Limit' ? 'Limit price' : 'Stop price'
  await ticket.getByLabel(field, { exact: true }).fill((ask * price).toFixed(5))
  if (limit) await ticket.getByLabel('Limit price', { exact: true }).fill((ask * limit).toFixed(5))
  await picture(page, `${page.viewportSize().width}-ticket-${kind}`)
  const name = `${side} ${kind.toLowerCase()}`
  await ticket.getByRole('button', { name: `Place ${name.toLowerCase()} at` }).click()
  await page.getByText(new RegExp(`${name} 0.10 EURUSD placed at`)).waitFor()
}

for (const width of [1440, 390]) {
  const phone = width === 390

  test(`at ${width} px orders wait, are edited, cancelled and filled`, async () => {
    const trader = await new Trader(browser, server, `w${width}@trader.example`, width).open()
    const { page } = trader
    try {
      await trader.register()
      await trader.switchAccount()
      const path = phone ? `/trade?product=${EURUSD}` : `/pc/trade?product=${EURUSD}`
      await trader.go(path)
      const open = async () => {
        if (!phone) return page.getByLabel('Order ticket')
        await page.getByRole('button', { name: /^Buy/ }).click()
        return page.getByRole('dialog')
      }
      const first = {
        Limit: ['Sell', 1.003],
        Stop: ['Buy', 1.004],
        'Stop-limit': ['Buy', 1.005, 1.006],
      }
      for (const [kind, [side, price, limit]] of Object.entries(first)) {
        await place(page, await open(), kind, side, { price, limit })
      }
      // Prices fall: this one is reached soon.
      await place(page, await open(), 'Limit', 'Buy', { price: 0.9995 })
      await page.getByText(/Buy limit 0.10 EURUSD filled at/).waitFor({ timeout: 30_000 })
      await picture(page, `${width}-chart`)

      if (phone) await trader.go('/order')
      await page.getByRole('tab', { name: /Pending/ }).click()
      const rows = phone ? page.getByRole('article') : page.locator('tbody tr')
      const one = (name) => rows.filter({ hasText: name })
      await one('Buy stop-limit').waitFor()
      assert.equal(await rows.count(), 3)
      await picture(page, `${width}-pending`)

      await one('Sell limit').getByRole('button', { name: 'Edit' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Limit price', { exact: true }).fill('1.23456')
      await picture(page, `${width}-edit`)
      await sheet.getByRole('button', { name: 'Save' }).click()
      await page.getByText('EURUSD: order changed').waitFor()
      await one('Sell limit').getByText('1.23456').first().waitFor()

      await one('Buy stop-limit').getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('EURUSD: Buy stop-limit cancelled').waitFor()
      await one('Buy stop-limit').waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Cancel all' }).click()
      await picture(page, `${width}-cancel-all`)
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
      await page.getByText(/^No pending orders/).waitFor()
      assert.deepEqual(trader.problems, [])
    } catch (error) {
      await page.screenshot({ path: join(tmpdir(), `candor-orders-${width}.png`) }).catch(() => {})
      throw error
    }
    await trader.close()
  })
}
