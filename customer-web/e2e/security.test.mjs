// A trader sets a payment password, mistypes it, changes it, and sees that this holds withdrawals; on a desktop and on a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { startServer } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

const FIRST = '482915'
const SECOND = '739104'

let browser
let server

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** The words of the newest message to an address. */
async function told(address) {
  const { stdout } = await server.candor('outbox', '--json', '--to', address)
  return JSON.parse(stdout)[0].subject
}

/** Sets it from the page about security: the simple one is refused, the good one is taken, and nothing is held. */
async function setIt(trader) {
  const { page } = trader
  await trader.go('/myCenter')
  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('link', { name: /Payment password.*Not set/ }).click()
  await page.getByText(/The first one delays nothing/).waitFor()
  await page.getByLabel('New payment password', { exact: true }).fill('123456')
  await trader.button('Set payment password').click()
  await page.getByText(/Too easy to guess/).waitFor()
  await trader.setPaymentPassword(FIRST)
  await page.getByText(/In use since/).waitFor()
  assert.equal(await page.getByText('Withdrawals are on hold').count(), 0)
  assert.match(await told(trader.email), /payment password is set/)
}

/** Mistypes the present one once; the right one then changes it, and withdrawals are held for a day. */
async function changeIt(trader) {
  const { page } = trader
  await page.getByRole('link', { name: /Payment password/ }).click()
  await page.getByText(/Changing it holds withdrawals for 24 hours/).waitFor()
  await page.getByLabel('Current payment password', { exact: true }).fill('000001')
  await trader.newPaymentPassword(SECOND)
  await trader.button('Change payment password').click()
  await page.getByText(/The payment password is wrong. Tries left: 4/).waitFor()
  await page.getByLabel('Current payment password', { exact: true }).fill(FIRST)
  await trader.button('Change payment password').click()
  await page.getByRole('heading', { name: 'Withdrawals are on hold' }).waitFor()
  await page.getByText('The payment password was changed', { exact: true }).waitFor()
  assert.match(await page.getByRole('timer').first().textContent(), /^2[34]:\d\d:\d\d$/)
  assert.match(await told(trader.email), /payment password was changed/)
}

/** Mistypes it until it is locked. */
async function lockIt(trader) {
  const { page } = trader
  await trader.go('/modifyPayPassword')
  await page.getByLabel('New payment password', { exact: true }).fill('604817')
  await page.getByLabel('New payment password, once more', { exact: true }).fill('604817')
  await page.getByLabel('Verification code').fill('000000')
  for (const left of [4, 3, 2, 1]) {
    await page.getByLabel('Current payment password', { exact: true }).fill(FIRST)
    await trader.button('Change payment password').click()
    await page.getByText(`Tries left: ${left}.`).waitFor()
  }
  await trader.button('Change payment password').click()
  await page.getByRole('heading', { name: 'Locked after 5 wrong tries' }).waitFor()
  assert.match(await told(trader.email), /locked for 30 minutes/)
  await trader.button('I forgot it').click()
  await page.getByLabel('Log-in password', { exact: true }).waitFor()
}

// Both at a time: most of it is waiting.
describe('a payment password', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    test(`a payment password is set, mistyped, changed and locked at ${width}`, async () => {
      const trader = await new Trader(browser, server, `sam${width}@trader.example`, width).open()
      try {
        await trader.register()
        await setIt(trader)
        await changeIt(trader)
        await lockIt(trader)
        assert.deepEqual(trader.problems, [])
      } catch (error) {
        await trader.page
          .screenshot({ path: join(tmpdir(), `candor-security-${width}.png`) })
          .catch(() => {})
        throw error
      }
      await trader.close()
    })
  }
})
