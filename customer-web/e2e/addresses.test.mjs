// A trader saves an address: the form recognizes the address of another network, the right one waits for a day, and the trader is notified; a deleted address
// can be restored. On a desktop and on a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { startServer } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

const DIGITS = '482915'
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

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

/** Goes from the user centre to the empty address book, and on to setting a payment password. */
async function comeWithout(trader) {
  const { page } = trader
  await trader.go('/myCenter')
  await page.getByRole('link', { name: 'Address book' }).click()
  await page.getByText('No saved addresses yet.').waitFor()
  await page.getByRole('link', { name: 'Add address' }).click()
  await page.getByRole('link', { name: 'Set payment password' }).waitFor()
  await trader.setPaymentPassword(DIGITS)
}

/** Pastes an address of another network, then saves it under its own. */
async function save(trader) {
  const { page } = trader
  await trader.go('/addAddress')
  await page.locator('label').filter({ hasText: 'Ethereum (ERC-20)' }).click()
  await page.getByLabel('Address', { exact: true }).fill(TRON)
  await page.getByText(/looks like an address on .*TRON/).waitFor()
  await trader.saveAddress(DIGITS, { network: 'TRON (TRC-20)', address: TRON, name: 'Exchange' })
  assert.match(await page.getByRole('timer').textContent(), /^2[34]:\d\d:\d\d$/)
  const { stdout } = await server.candor('outbox', '--json', '--to', trader.email)
  const [newest] = JSON.parse(stdout)
  assert.match(newest.subject, /new payee/)
  assert.match(newest.body, /TR7NHq…Lj6t/)
}

/** Checks that a wrong payment password deletes nothing. */
async function keep(trader) {
  const { page } = trader
  await page.getByRole('button', { name: 'Delete: Exchange' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Payment password', { exact: true }).fill('000001')
  await dialog.getByLabel('Verification code').fill('000000')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByText(/Attempts left: 4/).waitFor()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Exchange' }).waitFor()
}

/** Checks that a deleted address can't be saved again for a day, and that it can be restored unchanged. */
async function deleteAndRestore(trader) {
  const { page } = trader
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete: Exchange' }).click()
  await trader.prove(DIGITS)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(/Deleted · Can be restored until/).waitFor()
  assert.equal(await page.getByRole('timer').count(), 0)

  await trader.go('/addAddress')
  await page.locator('label').filter({ hasText: 'TRON (TRC-20)' }).click()
  await page.getByLabel('Address', { exact: true }).fill(TRON)
  await page.getByLabel('Name', { exact: true }).fill('Again')
  await page.getByLabel('Payment password', { exact: true }).fill(DIGITS)
  await page.getByLabel('Verification code').fill('000000')
  await trader.button('Save address').click()
  await page.getByText(/You deleted .Exchange. less than 24 hours ago/).waitFor()
  await page.getByRole('link', { name: 'Show deleted' }).click()

  await page.getByRole('button', { name: 'Restore: Exchange' }).click()
  await trader.prove(DIGITS)
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  assert.match(await page.getByRole('timer').textContent(), /^2[34]:\d\d:\d\d$/)
  const { stdout } = await server.candor('outbox', '--json', '--to', trader.email)
  assert.match(JSON.parse(stdout)[0].subject, /deleted payee was restored/)
}

// Two at a time: they mostly wait.
describe('an address', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    test(`an address is saved and kept at ${width}`, async () => {
      const trader = await new Trader(browser, server, `ann${width}@trader.example`, width).open()
      try {
        await trader.register()
        await comeWithout(trader)
        await save(trader)
        await keep(trader)
        await deleteAndRestore(trader)
        assert.deepEqual(trader.problems, [])
      } catch (error) {
        await trader.page
          .screenshot({ path: join(tmpdir(), `candor-addresses-${width}.png`) })
          .catch(() => {})
        throw error
      }
      await trader.close()
    })
  }
})
