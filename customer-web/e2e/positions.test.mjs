// Open positions: closed in part, against each other, turned round, protected, trailed, and all at once; on a desktop and on a phone.
import { after, before, test } from 'node:test'
import { picture } from './lib/pictures.mjs'
import { startReplayed } from './lib/replayed.mjs'

const EURUSD = 1

let stage

before(async () => {
  stage = await startReplayed()
})
after(() => stage?.stop())

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
      const said = (text) => page.getByText(text).first().waitFor({ timeout: 30_000 })

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
      await sheet.getByLabel('Trailing stop: distance').fill('0.05')
      await picture(page, 'trail')
      await sheet.getByRole('button', { name: 'Save' }).click()
      await said('EURUSD: stop loss and take profit saved')
      await picture(page, 'trailing')

      await trader.order('Buy', '0.30')
      await page.getByRole('button', { name: 'Close all' }).click()
      await sheet.getByLabel('Side').selectOption('Buy')
      await sheet.getByRole('button', { name: 'Close 2 positions' }).waitFor()
      await sheet.getByLabel('Side').selectOption('Buy and sell')
      await picture(page, 'close-all')
      await trader.until(
        sheet.getByRole('button', { name: 'Close 3 positions' }),
        '3 positions closed',
      )
    }))
}
