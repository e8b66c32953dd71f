// A trader opens a second real account with a leverage ceiling, renames it, moves money to it, trades on it within the ceiling, and goes back; on a desktop and on
// a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

let browser
let server
let cashier

const BTCUSD = 201
const LIST = '/switchAccount'

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

async function look({ page }, name) {
  await picture(page, `accounts-${name}`)
  await checkBothThemes(page, `${name} at ${page.viewportSize().width}`)
}

const card = ({ page }, name) => page.getByRole('main').getByRole('region', { name, exact: true })

/** Opens the list of accounts. */
async function list(trader) {
  await trader.go(LIST)
  await card(trader, 'Real account').waitFor()
}

/** Opens another account and expects it in the list. */
async function open(trader, { name, ceiling, mode }, shown) {
  const { page } = trader
  await trader.button('Open another account').click()
  const sheet = page.getByRole('dialog', { name: 'Open another account' })
  await sheet.getByLabel(/^Name/).fill(name)
  if (ceiling) await trader.choose(sheet, 'Leverage ceiling', ceiling)
  if (mode) await sheet.getByRole('radio', { name: new RegExp(`^${mode}`) }).check()
  await look(trader, 'open')
  await sheet.getByRole('button', { name: 'Open account', exact: true }).click()
  await trader.heard(new RegExp(`${shown}.* is open`))
  await sheet.waitFor({ state: 'hidden' })
  await card(trader, shown).waitFor()
}

/** Renames an account; a name that is in use is refused at its field. */
async function rename(trader, before, after) {
  const { page } = trader
  await card(trader, before).getByRole('button', { name: /^Edit/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Edit account' })
  await sheet.getByLabel(/^Name/).fill(after)
  await look(trader, 'edit')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await trader.heard(/Account updated/)
  await sheet.waitFor({ state: 'hidden' })
  await card(trader, after).waitFor()
}

async function nameIsTaken(trader, account, taken) {
  const sheet = trader.page.getByRole('dialog', { name: 'Edit account' })
  await card(trader, account).getByRole('button', { name: /^Edit/ }).click()
  await sheet.getByLabel(/^Name/).fill(taken)
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText('This name is already in use.').waitFor()
  await check(trader.page, 'a name in use')
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await sheet.waitFor({ state: 'hidden' })
}

/** Switches to a named account; the app reloads with a new token. */
async function switchTo(trader, name) {
  const { page } = trader
  await list(trader)
  await card(trader, name).getByRole('button', { name: 'Switch', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await look(trader, `switch-${name}`)
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await Promise.all([
    page.waitForEvent('load'),
    dialog.getByRole('button', { name: 'Switch', exact: true }).click(),
    page.waitForFunction((old) => localStorage.getItem('token') !== old, token),
  ])
  await list(trader)
  await card(trader, name).getByText('In use').waitFor()
}

/** Transfers money from the main account to another one. */
async function transfer(trader, to, amount) {
  const { page } = trader
  await trader.go('/mywallet')
  await page.getByRole('button', { name: 'Transfer: Real account', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await trader.choose(sheet, 'To', new RegExp(`^.${to}.* ·`))
  await sheet.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await look(trader, 'transfer')
  await sheet.getByRole('button', { name: new RegExp(`^Transfer.*${amount}`) }).click()
  await trader.heard(new RegExp(`${amount}.* USDT transferred`))
  await sheet.waitFor({ state: 'hidden' })
  await page
    .getByRole('listitem')
    .filter({ hasText: to })
    .getByText(`${amount}.00`)
    .first()
    .waitFor()
  await look(trader, 'wallet')
}

/** The leverages that the ticket offers. */
async function offered(trader) {
  const { page } = trader
  await trader.trade(BTCUSD)
  const ticket = await trader.ticket()
  await ticket.getByRole('combobox', { name: 'Leverage' }).click()
  const texts = await page.getByRole('option').allInnerTexts()
  await page.getByRole('option').first().click()
  await ticket.getByText(/Up to .*1:20.* on this account/).waitFor()
  await look(trader, 'ticket')
  return texts.map((text) => Number(text.replace(/^\D*1:/, '')))
}

for (const width of [1440, 390]) {
  test(`several accounts at ${width}`, async () => {
    const trader = await new Trader(browser, server, `ada${width}@trader.example`, width).open()
    const { page } = trader
    try {
      await trader.register()
      const number = await trader.deposit('900')
      await cashier.approveDeposit(number, '900.00', `BANK-ACC-${width}`)
      await page.getByText('You can trade with it now.').waitFor()

      await list(trader)
      await page.getByText('1 of 10', { exact: true }).waitFor()
      await open(trader, { name: 'Scalping', ceiling: 'Up to 1:20' }, 'Scalping')
      await open(trader, { name: '', mode: 'Netting' }, 'Real account 3')
      await nameIsTaken(trader, 'Real account 3', 'SCALPING')
      await rename(trader, 'Scalping', 'Short term')
      await page.getByText('3 of 10', { exact: true }).waitFor()
      await card(trader, 'Real account 3').getByText('Netting').waitFor()
      await look(trader, 'list')

      await transfer(trader, 'Short term', '400')
      await switchTo(trader, 'Short term')
      const leverages = await offered(trader)
      assert.ok(leverages.length > 0 && Math.max(...leverages) <= 20, leverages.join())
      if (trader.phone) await page.keyboard.press('Escape')
      await trader.trade(BTCUSD)
      await trader.order('Buy', '0.01')
      await trader.go('/mywallet')
      await page.getByRole('heading', { name: 'Short term' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Withdraw: Short term' }).count(), 0)
      await page.getByRole('link', { name: 'Withdraw: Real account' }).waitFor()
      await look(trader, 'wallet-second')
      for (const [path, words] of [
        ['/deposite', /Deposits arrive on your main trading account/],
        ['/withdraw', /Withdrawals leave your main trading account/],
      ]) {
        await trader.go(path)
        await page.getByText(words).waitFor()
        await look(trader, path.slice(1))
      }

      if (trader.phone) {
        await trader.go('/order')
        await page.getByText('Short term', { exact: true }).waitFor()
        await look(trader, 'order')
      }

      const other = await page.context().newPage()
      await other.goto(`${server.url}/#/mywallet`)
      await other.getByRole('heading', { name: 'Short term' }).waitFor()
      await switchTo(trader, 'Real account')
      await other.getByText(/switched in another tab. You are now using .*Real account/).waitFor()
      await other.getByRole('heading', { name: 'Real account' }).waitFor()
      await other.close()
      await trader.go('/order')
      await page
        .getByText(/No open positions/)
        .first()
        .waitFor()
      assert.deepEqual(trader.problems, [])
      await arabic(trader)
    } catch (error) {
      await page
        .screenshot({ path: join(tmpdir(), `candor-accounts-${width}.png`) })
        .catch(() => {})
      throw error
    }
    await trader.close()
  })
}

/** Looks at the list and the form in Arabic, which reads from the right. */
async function arabic(trader) {
  const { page } = trader
  await trader.go(LIST)
  await page.evaluate(() => localStorage.setItem('locale', 'ar'))
  await page.reload()
  await page.locator('html[dir=rtl]').waitFor()
  await page.getByRole('main').getByRole('region').nth(2).waitFor()
  await look(trader, 'list-ar')
  await page.getByRole('main').getByRole('button').last().scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'فتح حساب آخر' }).click()
  await page.getByRole('dialog').waitFor()
  await look(trader, 'open-ar')
}

test('the books agree after it', async () => {
  const { stdout } = await server.candor('verify', '--json')
  assert.equal(JSON.parse(stdout).ok, true, stdout)
})
