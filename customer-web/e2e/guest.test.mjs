// A visitor tries the app with demo money, trades, tops up and registers, on a desktop and on a phone.
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

/** Closes the one open position on the screen for this width. */
async function closeEverything(visitor, phone) {
  const { page } = visitor
  if (!phone) return visitor.closePosition('EURUSD', '0.10')
  await visitor.go('/order')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Close/ })
    .click()
  await visitor.confirmClose('EURUSD', '0.10')
}

for (const width of [1440, 390]) {
  const phone = width === 390
  test(`a visitor becomes a guest and then a trader at ${width}`, async () => {
    const visitor = await new Trader(browser, server, `gus${width}@trader.example`, width).open()
    const { page } = visitor
    try {
      await visitor.go('/home/index')
      await visitor.button('Try with demo money').click()
      await page.waitForURL((url) => url.hash.startsWith(phone ? '#/trade' : '#/pc/trade'))
      await page.getByText('DEMO', { exact: true }).first().waitFor()

      await visitor.go(phone ? `/trade?product=${EURUSD}` : `/pc/trade?product=${EURUSD}`)
      await visitor.order('Buy', '0.10')
      await closeEverything(visitor, phone)

      await visitor.go('/switchAccount')
      const main = page.getByRole('main')
      await main.getByText(/Sign up to deposit/).waitFor()
      await main.getByRole('button', { name: 'Top up' }).click()
      await page.getByLabel('New balance').fill('50000')
      const reloaded = page.waitForEvent('load')
      await visitor.button('Set balance').click()
      await reloaded
      await main.getByText('50,000.00').first().waitFor()

      await visitor.go('/myCenter')
      await page.getByRole('heading', { name: /^Guest [0-9A-F]{4}$/ }).waitFor()
      assert.equal(await main.getByText('Switch account').count(), 0)
      await main.getByRole('link', { name: 'Sign up' }).first().click()
      await page.waitForURL((url) => url.hash.startsWith('#/register'))
      await visitor.register()
      assert.equal(await page.getByText('DEMO', { exact: true }).count(), 0)
      await visitor.go('/switchAccount')
      await page.getByRole('region', { name: 'Real account' }).getByText('In use').waitFor()
      assert.deepEqual(visitor.problems, [])
    } catch (error) {
      await page.screenshot({ path: join(tmpdir(), `candor-guest-${width}.png`) }).catch(() => {})
      throw error
    }
    await visitor.close()
  })
}
