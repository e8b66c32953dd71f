// Pending orders: placed, edited, cancelled and filled, on a desktop and on a phone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { place, placePair } from './lib/orders.mjs'
import { picture } from './lib/pictures.mjs'
import { startReplayed } from './lib/replayed.mjs'
import { waitFor } from './lib/server.mjs'

const EURUSD = 1
const DAY = 86_400_000
/** The distance in px by which lines are dragged. */
const UP = -40

let stage

before(async () => {
  stage = await startReplayed()
})
after(() => stage?.stop())

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
        await place(trader, kind, side, { price, limit })
      }
      // This one soon expires: a minute of the market takes three seconds here.
      await place(trader, 'Limit', 'Sell', { price: 1.02, minutes: 12 })
      // Prices fall: these soon trigger.
      await place(trader, 'Limit', 'Buy', { price: 0.997 })
      await place(trader, 'Stop-limit', 'Sell', { price: 0.997, limit: 0.98 })
      await picture(page, 'chart')
      // The limit leg of this pair stays out of reach, as do both legs of the other pair.
      await placePair(trader, 'Sell', { limit: 1.01, stop: 0.997 })
      await placePair(trader, 'Buy', { limit: 0.9, stop: 1.02 })
      await trader.heard(/Buy limit 0.10 EURUSD filled at/, { timeout: 90_000 })
      await trader.heard(/Sell stop-limit 0.10 EURUSD filled at/, { timeout: 90_000 })
      await trader.heard(/Sell stop 0.20 EURUSD filled at/, { timeout: 90_000 })
      await trader.heard(/EURUSD: Sell limit expired/, { timeout: 90_000 })

      await page.getByRole('tab', { name: /Pending/ }).click()
      const rows = phone ? page.getByRole('article') : page.locator('tbody tr')
      const one = (name) => rows.filter({ hasText: name })
      await one('Buy stop-limit').waitFor()
      await one('Sell stop').waitFor({ state: 'detached' })
      assert.equal(await rows.count(), 5)
      assert.equal(await one('OCO').count(), 2)
      await picture(page, 'pending')

      await one('OCO').first().getByRole('button', { name: 'Cancel both' }).click()
      await page.getByText(/EURUSD: Buy .* and its paired order cancelled/).waitFor()
      await one('OCO').first().waitFor({ state: 'detached' })
      assert.equal(await rows.count(), 3)

      await one('Sell limit').getByRole('button', { name: 'Edit' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Limit price', { exact: true }).fill('1.23456')
      await picture(page, 'edit')
      await sheet.getByRole('button', { name: 'Save' }).click()
      await page.getByText('EURUSD: order updated').waitFor()
      await one('Sell limit').getByText('1.23456').first().waitFor()

      await one('Buy stop-limit').getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('EURUSD: Buy stop-limit cancelled').waitFor()
      await one('Buy stop-limit').waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Cancel all' }).click()
      await picture(page, 'cancel-all')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click()
      await page.getByText(/^No pending orders/).waitFor()

      await trader.go('/historyOrders?list=orders')
      // The sheet of the filters hides what lies behind it from assistive technology, and from searches by role.
      const over = page.locator(phone ? 'main article' : 'tbody tr')
      await over.first().waitFor()
      const reasons = ['Expired', 'Cancelled by you', 'the other order in the pair']
      for (const reason of reasons) await over.filter({ hasText: reason }).first().waitFor()
      assert.equal(await over.filter({ hasText: 'Cancelled by you' }).count(), 4)
      assert.equal(await over.count(), 7)
      await picture(page, 'ended')
      await narrow(trader, over)
    }))

  test(`at ${width} px a line of the chart is dragged to a price, and saved or left`, () =>
    stage.journey('drag', width, async (trader) => {
      const { page } = trader
      await trader.trade(EURUSD)
      await place(trader, 'Limit', 'Sell', { price: 1.003 })
      const sheet = page.getByRole('dialog')
      const price = sheet.getByLabel('Limit price', { exact: true })
      // A price that comes between the look and the press may move the label away: then the trader tries again.
      const drag = async () => {
        await waitFor(async () => {
          await trader.dragLine(UP)
          return price.waitFor({ timeout: 2_000 }).then(
            () => true,
            () => false,
          )
        }, 90_000)
        return price.inputValue()
      }
      await page.getByRole('tab', { name: /Pending/ }).click()
      const one = phone ? page.getByRole('article') : page.locator('tbody tr')
      const placed = /\d\.\d{5}/.exec(await one.innerText())[0]

      const left = await drag()
      assert.ok(Number(left) > Number(placed), `${left} is not above ${placed}`)
      await picture(page, 'drag')
      await sheet.getByRole('button', { name: 'Close' }).click()
      await sheet.waitFor({ state: 'detached' })
      await one.getByText(placed).first().waitFor()

      const saved = await drag()
      await sheet.getByRole('button', { name: 'Save' }).click()
      await trader.heard(/EURUSD: order updated/)
      await one.getByText(saved).first().waitFor()

      await trader.go(`/webview/chart?product=${EURUSD}&period=15m`)
      const list = page.getByRole('button', { name: 'Positions and orders in EURUSD' })
      await list.waitFor()
      const again = await drag()
      assert.ok(Number(again) > Number(saved), `${again} is not above ${saved}`)
      await picture(page, 'full-chart-drag')
      await sheet.getByRole('button', { name: 'Close' }).click()
      await sheet.waitFor({ state: 'detached' })
      const moved = await drag()
      await sheet.getByRole('button', { name: 'Save' }).click()
      await trader.heard(/EURUSD: order updated/)
      await sheet.waitFor({ state: 'detached' })

      // The same by keyboard.
      await picture(page, 'full-chart')
      await list.focus()
      await page.keyboard.press('Enter')
      const pending = sheet.getByRole('tab', { name: /Pending/ })
      await pending.focus()
      await page.keyboard.press('Enter')
      await sheet.getByText(moved).first().waitFor()
      await picture(page, 'full-chart-list')
      await check(page, 'the orders of the full-screen chart')
      await sheet.getByRole('button', { name: 'Edit…' }).focus()
      await page.keyboard.press('Enter')
      assert.equal(await price.inputValue(), moved)
      const typed = (Number(moved) + 0.01).toFixed(5)
      await price.fill(typed)
      await page.keyboard.press('Enter')
      await sheet.getByText(typed).first().waitFor()
    }))
}

/** Filters the seven orders that ended without a fill, downloads some as a file, and selects days without any. */
async function narrow(trader, rows) {
  const { page } = trader
  await page.getByRole('button', { name: /^Filters/ }).click()
  const pick = async (field, option, count) => {
    await trader.choose(page, field, option)
    await waitFor(async () => (await rows.count()) === count, 10_000)
  }
  await pick('Reason', 'Expired', 1)
  await rows.filter({ hasText: 'Sell limit' }).waitFor()
  await pick('Reason', 'Other order in the pair', 2)
  await pick('Reason', 'Cancelled by you', 4)
  await pick('Order type', 'Stop-limit', 1)
  await pick('Side', 'Sell', 0)
  await pick('Side', 'Buy', 1)
  await picture(page, 'narrowed')
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download CSV' }).click(),
  ])
  assert.match(file.suggestedFilename(), /^candor-orders-[-\d]+\.csv$/)
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(lines[1], /^\d+,EURUSD,buy,stop_limit,0\.1,.*,cancelled,trader,,,/)
  await page.getByRole('button', { name: /^Filters/ }).click()
  const day = new Date(Date.now() - 2 * DAY).toISOString().slice(0, 10)
  await trader.enterDate('To', day)
  await page.getByRole('button', { name: 'Show results' }).click()
  await page.getByText(/No cancelled or expired orders/).waitFor()
  await page.getByRole('button', { name: 'Show all from the last 30 days' }).click()
  await waitFor(async () => (await rows.count()) === 7, 10_000)
}
