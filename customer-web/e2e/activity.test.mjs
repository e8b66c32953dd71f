// Messages about trading: an order fills while another page is open, the bell counts it, and the message leads to its price proof.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { place } from './lib/orders.mjs'
import { picture } from './lib/pictures.mjs'
import { startReplayed } from './lib/replayed.mjs'

const EURUSD = 1

let stage

before(async () => {
  stage = await startReplayed()
})
after(() => stage?.stop())

test('a fill on another page is in the bell and leads to its price proof', () =>
  stage.journey('activity', 1440, async (trader) => {
    const { page } = trader
    await trader.trade(EURUSD)
    await page.waitForFunction(() => /^\d\.\d{5} EURUSD · Candor$/.test(document.title))
    // Prices fall: this one soon fills.
    await place(trader, 'Limit', 'Buy', { price: 0.9995 })
    await trader.go('/preferenceSet')
    await page.waitForFunction(() => document.title === 'Preferences · Candor')
    await trader.heard(/Buy limit 0.10 EURUSD filled at/)
    await page
      .getByRole('link', { name: /1 unread/ })
      .first()
      .waitFor()

    await trader.go('/notice?tab=messages')
    const head = page.getByRole('button', { name: /Demo · Buy limit EURUSD filled at/ })
    await head.waitFor()
    await picture(page, 'messages')
    await page.getByRole('button', { name: 'Money' }).click()
    await page.getByText(/^No messages about money yet/).waitFor()
    assert.equal(await head.count(), 0)
    await picture(page, 'messages-money')
    await page.getByRole('button', { name: 'Trading' }).click()
    await head.click()
    await page.getByText(/0.1 lots of EURUSD: filled at .* Account: Demo account/).waitFor()
    await check(page, 'an open message')
    await picture(page, 'message-open')
    await page.getByRole('button', { name: 'Price proof' }).click()
    await page.getByRole('dialog').getByText('EURUSD').first().waitFor()
  }))

test('a mail that was switched off stays off', () =>
  stage.journey('settings', 390, async (trader) => {
    const { page } = trader
    await trader.go('/preferenceSet')
    const mail = page.getByRole('switch', { name: 'Stop loss and take profit, email' })
    assert.equal(await mail.isChecked(), true)
    const stored = page.waitForResponse(/updateUserMsgSetting/)
    await mail.click()
    await stored
    await page.reload()
    await mail.waitFor()
    assert.equal(await mail.isChecked(), false)
    const locked = page.getByRole('switch', { name: 'Margin, email' })
    assert.deepEqual([await locked.isChecked(), await locked.isDisabled()], [true, true])
    await check(page, 'notification settings')
    await locked.scrollIntoViewIfNeeded()
    await picture(page, 'notifications')
  }))
