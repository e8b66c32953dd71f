// A deposit is transferred to the funding account, exchanged at a quoted rate, and found in the ledger with its causes; on a desktop and on a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

let browser
let server
let cashier

before(async () => {
  browser = await launch()
  server = await startServer()
  cashier = await comeToDesk(browser, server, 'mia')
  cashier.checker = await comeToDesk(browser, server, 'chen')
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Transfers a part of the money to the funding account; more than the balance is refused. */
async function keep(trader) {
  const { page } = trader
  await trader.go('/mywallet')
  await page.getByRole('button', { name: 'Transfer: Real account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount' }).waitFor()
  await check(page, 'a transfer')
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('1500.01')
  await dialog.getByRole('button', { name: /^Transfer/ }).click()
  await dialog.getByText(/Only .*1,500.* USDT is available/).waitFor()
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('600')
  await dialog.getByRole('button', { name: /^Transfer.*600/ }).click()
  await trader.heard(/600.* USDT transferred/)
  await dialog.waitFor({ state: 'hidden' })
}

/** Exchanges half of it at a rate that is shown with its time limit. */
async function exchange(trader) {
  const { page } = trader
  await page.getByRole('button', { name: 'Convert: USDT, Funding account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('You pay').fill('300')
  await dialog.getByText('Rate valid for').waitFor()
  await dialog.getByText(/1 BTC = [\d,]+\.\d\d USDT/).waitFor()
  await check(page, 'a conversion')
  await dialog.getByRole('button', { name: /^Convert.*300/ }).click()
  await trader.heard(/300 USDT.* converted to .*BTC/)
  await dialog.waitFor({ state: 'hidden' })
  const coins = page.getByRole('listitem').filter({ hasText: 'Bitcoin' })
  await coins.getByText(/^0\.00\d+$/).waitFor()
}

/** Finds both in the account's ledger, with their causes. */
async function follow(trader) {
  const { page } = trader
  await page.getByRole('link', { name: 'All movements' }).click()
  if (trader.phone) await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Account', exact: true }).click()
  await page.getByRole('option', { name: /^USDT · .*Funding account/ }).click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: /^Conversion EX-\d+/ }).click()
  await dialog.getByText('Bought at the ask').waitFor()
  await dialog.getByText(/BTCUSD price number \d+/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(/^−300\.00$/).waitFor()
  await page.getByText(/^Balance 300\.00$/).waitFor()
  await page.getByRole('button', { name: /^Transfer TR-\d+/ }).click()
  await dialog.getByText('Real account').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
}

for (const width of [1440, 390]) {
  test(`money is moved, exchanged and followed at ${width}`, async () => {
    const trader = await new Trader(browser, server, `wes${width}@trader.example`, width).open()
    try {
      await trader.register()
      const number = await trader.deposit('1500')
      await cashier.approveDeposit(number, '1500.00', `BANK-REF-${width}`)
      await trader.page.getByText('You can trade with it now.').waitFor()
      await keep(trader)
      await exchange(trader)
      await follow(trader)
      assert.deepEqual(trader.problems, [])
    } catch (error) {
      await trader.page
        .screenshot({ path: join(tmpdir(), `candor-wallet-${width}.png`) })
        .catch(() => {})
      throw error
    }
    await trader.close()
  })
}

test('the books agree after it', async () => {
  const { stdout } = await server.candor('verify', '--json')
  assert.equal(JSON.parse(stdout).ok, true, stdout)
})
