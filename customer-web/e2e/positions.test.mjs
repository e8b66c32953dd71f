// Open positions: closed in part, closed by another, reversed, protected, trailed, and closed all at once; on a desktop and on a phone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { picture } from './lib/pictures.mjs'
import { startReplayed } from './lib/replayed.mjs'
import { waitFor } from './lib/server.mjs'

const EURUSD = 1

let stage

before(async () => {
  stage = await startReplayed()
})
after(() => stage?.stop())

/** The level of the only trailing stop on the page. */
async function trailLevel(page) {
  const text = page.locator('small', { hasText: 'behind' }).locator('..')
  return waitFor(async () => Number(/\d\.\d{5}/.exec(await text.innerText())?.[0]))
}

for (const width of [1440, 390]) {
  test(`at ${width} px positions are closed in every way`, () =>
    stage.journey('positions', width, async (trader) => {
      const { page } = trader
      await trader.trade(EURUSD)
      for (const [side, lots] of [
        ['Buy', '0.20'],
        ['Sell', '0.10'],
      ])
        await trader.order(side, lots)
      await picture(page, 'positions')

      const sheet = page.getByRole('dialog')

      await trader.actOn('Buy 0.20', 'Close')
      await sheet.getByLabel('Volume to close', { exact: true }).fill('0.05')
      await picture(page, 'close-part')
      await trader.until(
        sheet.getByRole('button', { name: /^Close 0.05 lots at/ }),
        /EURUSD 0.05 closed at/,
      )

      await trader.actOn('Buy 0.15', 'Close')
      await sheet.getByRole('tab', { name: 'Close by' }).click()
      await sheet.getByText('Buy 0.05 lots').waitFor()
      await picture(page, 'close-by')
      await trader.until(
        sheet.getByRole('button', { name: 'Close 0.10 lots against each other' }),
        /EURUSD 0.10 closed against the opposite position at/,
      )

      await trader.actOn('Buy 0.05', 'Close')
      await sheet.getByRole('tab', { name: 'Reverse' }).click()
      await picture(page, 'reverse')
      await trader.until(
        sheet.getByRole('button', { name: /^Reverse to Sell 0.05 at/ }),
        /EURUSD reversed: Sell 0.05 filled at/,
      )

      await trader.order('Buy', '0.10')
      await trader.actOn('Buy 0.10', 'SL / TP')
      await sheet.getByRole('switch', { name: 'Trailing stop' }).click()
      await sheet.getByLabel('Trailing stop: distance').fill('500')
      await picture(page, 'trail')
      await sheet.getByRole('button', { name: 'Save' }).click()
      await trader.heard(/EURUSD: stop loss and take profit updated/)
      const stood = await trailLevel(page)

      // A stop loss beside it does not move it; only a higher price may have raised it meanwhile.
      await trader.actOn('Buy 0.10', 'SL / TP')
      await sheet.getByRole('switch', { name: 'Stop loss' }).click()
      await sheet.getByLabel('Stop loss: price').fill('0.50000')
      await picture(page, 'trail-kept')
      await sheet.getByRole('button', { name: 'Save' }).click()
      await sheet.waitFor({ state: 'detached' })
      await page.getByText('0.50000').first().waitFor()
      assert.ok((await trailLevel(page)) >= stood, 'the trailing stop moved away')
      await picture(page, 'trailing')

      await trader.order('Buy', '0.30')
      await page.getByRole('button', { name: 'Close all' }).click()
      await trader.choose(sheet, 'Side', 'Buy')
      await sheet.getByRole('button', { name: 'Close 2 positions' }).waitFor()
      await trader.choose(sheet, 'Side', 'Buy and sell')
      await picture(page, 'close-all')
      await trader.until(
        sheet.getByRole('button', { name: 'Close 3 positions' }),
        '3 positions closed',
      )
    }))

  test(`at ${width} px positions are closed by their stop loss, take profit and trailing stop`, () =>
    stage.journey('protection', width, async (trader) => {
      const { page } = trader
      const sheet = page.getByRole('dialog')
      await trader.trade(EURUSD)
      for (const [side, lots] of [
        ['Buy', '0.20'],
        ['Sell', '0.10'],
        ['Buy', '0.30'],
      ])
        await trader.order(side, lots)

      // Prices fall: all three trigger within seconds, even on a slow machine.
      const protect = async (words, what, field, near) => {
        await trader.actOn(words, 'SL / TP')
        await sheet.getByRole('switch', { name: what }).click()
        const input = sheet.getByLabel(field)
        // Repeats when the market passed the price before it was saved.
        await waitFor(async () => {
          await input.fill(await near())
          await sheet.getByRole('button', { name: 'Save' }).click()
          return sheet.waitFor({ state: 'detached', timeout: 5_000 }).then(
            () => true,
            () => false,
          )
        }, 30_000)
      }
      const below = async () => {
        const rows = await sheet.locator('dl').first().innerText()
        return (Number(/\d\.\d{5}\s*$/.exec(rows)[0]) * 0.999).toFixed(5)
      }
      await protect('Buy 0.20', 'Stop loss', 'Stop loss: price', below)
      await protect('Sell 0.10', 'Take profit', 'Take profit: price', below)
      await protect('Buy 0.30', 'Trailing stop', 'Trailing stop: distance', () => '10')
      await picture(page, 'trail-line')
      await trader.heard(/EURUSD 0.20 closed by its stop loss at/)
      await trader.heard(/EURUSD 0.10 closed by its take profit at/)
      await trader.heard(/EURUSD 0.30 closed by its trailing stop at/)

      await trader.go('/historyOrders')
      for (const reason of ['Stop loss', 'Take profit', 'Trailing stop'])
        await page.getByRole('main').getByText(reason, { exact: true }).first().waitFor()
      await picture(page, 'history')
    }))
}
