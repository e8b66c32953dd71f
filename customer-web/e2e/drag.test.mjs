// Lines of the chart: dragged by a mouse and by a finger, and saved in the form they belong to.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { picture } from './lib/pictures.mjs'
import { startReplayed } from './lib/replayed.mjs'

const EURUSD = 1
const UP = -40

let stage

before(async () => {
  stage = await startReplayed()
})
after(() => stage?.stop())

for (const width of [1440, 390]) {
  test(`at ${width} px a line is dragged to a price, and saved or left`, () =>
    stage.journey('drag', width, async (trader) => {
      const { page } = trader
      await trader.trade(EURUSD)
      const sheet = page.getByRole('dialog')
      const ticket = await trader.ticket()
      await ticket.getByRole('radio', { name: 'Limit', exact: true }).check()
      await ticket.getByRole('radio', { name: /^Sell/ }).click()
      const field = ticket.getByLabel('Limit price', { exact: true })
      const placed = (Number(await field.inputValue()) * 1.003).toFixed(5)
      await field.fill(placed)
      await ticket.getByRole('button', { name: /^Place sell limit at/ }).click()
      await page.getByText(/Sell limit .* EURUSD placed at/).waitFor()

      await trader.dragLine(UP)
      const price = sheet.getByLabel('Limit price', { exact: true })
      await price.waitFor()
      const wished = await price.inputValue()
      assert.ok(Number(wished) > Number(placed), `${wished} is not above ${placed}`)
      await picture(page, 'drag')
      // Left, the line goes back to where the order is.
      await sheet.getByRole('button', { name: 'Close' }).click()
      await sheet.waitFor({ state: 'detached' })
      await page.getByRole('tab', { name: /Pending/ }).click()
      await page.getByText(placed).first().waitFor()

      await trader.dragLine(UP)
      await price.waitFor()
      const saved = await price.inputValue()
      assert.ok(Number(saved) > Number(placed))
      await sheet.getByRole('button', { name: 'Save' }).click()
      await page.getByText('EURUSD: order changed').waitFor()
      await page.getByText(saved).first().waitFor()
    }))
}
