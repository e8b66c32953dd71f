// The order ticket before an order is sent: in a netting account, and for a product that may only be closed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { picture } from './lib/pictures.mjs'
import { startReplayed } from './lib/replayed.mjs'

const EURUSD = 1

let stage

before(async () => {
  stage = await startReplayed()
})
after(() => stage?.stop())

// Two at a time: they mostly wait.
describe('the ticket before an order is sent', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    test(`at ${width} px the ticket of a netting account says what an order will do`, () =>
      stage.journey('netting', width, async (trader) => {
        const { page } = trader
        await trader.go('/switchAccount')
        await page.getByRole('radio', { name: /^Netting/ }).click() // checked once the server has accepted it
        await trader.heard(/Netting/)
        await check(page, 'the account mode and its toast')
        await trader.trade(EURUSD)
        await trader.order('Buy', '0.20')

        const ticket = await trader.ticket('Sell')
        const row = (name) =>
          ticket.getByText(name, { exact: true }).locator('xpath=following-sibling::dd')
        const say = async (lots, words) => {
          await ticket.getByLabel('Volume', { exact: true }).fill(lots)
          await row('Your position').filter({ hasText: words }).waitFor()
        }
        await ticket.getByRole('radio', { name: /^Sell/ }).click()
        await say('0.05', /^Reduced to Buy .*0\.15/)
        assert.match(await row('Margin').innerText(), /^−/)
        await say('0.20', /^Closed/)
        assert.equal(await ticket.getByText('Stop-out price after').count(), 0)
        await say('0.50', /^Reversed to Sell .*0\.30/)
        assert.match(await row('Margin').innerText(), /^\d/)
        await picture(page, 'ticket-netting')

        await ticket.getByRole('radio', { name: 'Limit', exact: true }).check()
        await say('0.05', /^Reduced to Buy .*0\.15/)
        await ticket.getByText(/depends on what is open when the order is filled/).waitFor()
        await picture(page, 'ticket-netting-limit')
        await check(page, 'a limit order in a netting account')
        await ticket.getByRole('radio', { name: 'OCO', exact: true }).check()
        await row('Sell stop, your position')
          .filter({ hasText: /^Reduced to Buy .*0\.15/ })
          .waitFor()
        await ticket.getByText(/depends on what is open when the order is filled/).waitFor()

        await ticket.getByRole('radio', { name: 'Market', exact: true }).check()
        await say('0.05', /^Reduced to Buy .*0\.15/)
        await trader.until(
          ticket.getByRole('button', { name: /^Sell .* lots at/ }),
          /Sell 0.05 .* filled at/,
        )
        const held = trader.phone ? page.getByRole('article') : page.locator('tbody tr')
        await held.filter({ hasText: 'Buy' }).filter({ hasText: '0.15' }).waitFor()
      }))

    test(`at ${width} px a product that may only be closed says so, and is closed`, () =>
      stage.journey('close-only', width, async (trader) => {
        const { page } = trader
        await trader.trade(EURUSD)
        await trader.order('Buy', '0.20')
        // New terms take effect after a day at the earliest, so the server's answer is modified in transit.
        await page.route('**/client/api/findProductList', async (route) => {
          const response = await route.fetch()
          const text = await response.text()
          await route.fulfill({
            response,
            body: text.replace('"mode":"full"', '"mode":"close_only"'),
          })
        })
        await page.reload()
        const ticket = await trader.ticket()
        await ticket.getByText(/You can only close positions in this product/).waitFor()
        assert.equal(await ticket.getByRole('radio').count(), 0)
        await picture(page, 'close-only')
        await check(page, 'a product that may only be closed')
        const list = ticket.getByRole('list', { name: 'Positions you can close' })
        await list.getByRole('button', { name: 'Close…' }).click()
        const sheet = page.getByRole('dialog').last()
        await sheet.getByRole('tab', { name: 'Reverse' }).click()
        await sheet.getByText(/You can only close positions in this product/).waitFor()
        await sheet.getByRole('tab', { name: 'At market' }).click()
        await trader.until(
          sheet.getByRole('button', { name: /^Close 0.20 lots at/ }),
          /EURUSD 0.20 closed at/,
        )
        await ticket.getByText('You have no open position in this product.').waitFor()
      }))
  }
})
