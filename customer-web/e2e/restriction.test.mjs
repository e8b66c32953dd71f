// Staff restrict a trader, who reads the reason and the end; another person lifts the restriction, and everything works again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { place } from './lib/orders.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { PASSWORD, Trader } from './lib/trader.mjs'

const BTCUSD = 201

let browser
let server
let trader
let risk
let lead

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Opens the trader's page at the desk. */
async function see(member, path = '') {
  await member.page.goto(`${server.url}/admin/traders`)
  const first = member.page.locator('main a[href^="/admin/traders/"]').first()
  await member.page.goto(`${server.url}${await first.getAttribute('href')}${path}`)
}

async function restrict(kind, reason, life, { pictured = false } = {}) {
  const { page } = risk
  await see(risk)
  const inForce = page.getByText('In force')
  const before = await inForce.count()
  await page.getByRole('button', { name: 'Restrict…' }).click()
  const dialog = risk.dialog()
  await dialog.getByLabel('Restriction').selectOption(kind)
  await dialog.getByLabel('Reason shown to the trader').selectOption(reason)
  await dialog.getByLabel('Duration').selectOption(life)
  await dialog
    .getByLabel('Note (staff only)')
    .fill('Case 4711: a transfer from a name that is not the trader’s.')
  if (pictured) {
    await check(page, 'the dialog that restricts')
    await picture(page, 'desk-restrict')
  }
  await dialog.getByRole('button', { name: 'Restrict', exact: true }).click()
  await inForce.nth(before).waitFor()
}

async function lift() {
  const { page } = lead
  await see(lead)
  await page.getByRole('button', { name: 'Lift…' }).first().click()
  await lead.dialog().getByLabel('Reason').fill('The name was cleared with the bank.')
  await picture(page, 'desk-lift')
  await lead.dialog().getByRole('button', { name: 'Lift restriction' }).click()
  await lead.dialog().waitFor({ state: 'hidden' })
  await page
    .getByText(/Lifted by Lea Lead/)
    .first()
    .waitFor()
}

test('people take their desks, and a trader pays in', async () => {
  risk = await comeToDesk(browser, server, 'rick')
  lead = await comeToDesk(browser, server, 'lea')
  const maker = await comeToDesk(browser, server, 'mia')
  maker.checker = lead
  trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  const number = await trader.deposit('1500')
  await maker.approveDeposit(number, '1500.00', 'BANK-REF-0001')
  await trader.terminal(BTCUSD)
  await trader.order('Buy', '0.02')
})

test('a restricted trader reads why, and may still close', async () => {
  await restrict('trade', 'payment_dispute', '24', { pictured: true })
  await restrict('withdraw', 'legal_order', '0')
  for (const width of [390, 1440]) {
    await risk.page.setViewportSize({ width, height: 900 })
    await check(risk.page, `a restricted trader at ${width}`)
    await picture(risk.page, 'desk-restricted')
  }
  await risk.page.getByRole('button', { name: 'Lift…' }).first().isDisabled()
  const { page } = trader
  const ticket = await trader.ticket()
  await ticket.getByText('New orders are restricted').waitFor() // without a reload
  await ticket.getByText('Reason: a payment is disputed').waitFor()
  await ticket.getByLabel('Volume', { exact: true }).fill('0.01')
  await ticket.getByRole('button', { name: /^Buy .* lots at/, disabled: true }).waitFor()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/myCenter', '/securitySet', '/withdraw', `/pc/trade?product=${BTCUSD}`]) {
      if (path.startsWith('/pc') && width < 1024) continue
      await trader.go(path)
      await page.reload() // the previous page shows the same text
      await page
        .getByText(/^(Withdrawals|New orders) are restricted$/)
        .first()
        .waitFor()
      await check(page, `${path} at ${width}`)
      await picture(page, `restricted-${path.split('/').pop().split('?')[0]}`)
    }
  }
  await trader.closePosition('BTCUSD', '0.02')
})

test('another person lifts it, and orders and withdrawals work again', async () => {
  await lift()
  await lift()
  await trader.terminal(BTCUSD)
  await trader.page.getByText('New orders are restricted').waitFor({ state: 'hidden' })
  await trader.order('Buy', '0.01')
  await trader.go('/withdraw')
  await trader.page.getByText('Your identity is not verified').first().waitFor() // only the earlier obstacle remains
  assert.equal(await trader.page.getByText('Withdrawals are restricted').count(), 0)
})

test('the desk reads how an order ended, and follows a fill to its receipt', async () => {
  await trader.terminal(BTCUSD)
  await place(trader, 'Limit', 'Buy', { price: 0.9, symbol: 'BTCUSD', lots: '0.01', decimals: 2 })
  const { page } = risk
  await see(risk, '/orders/pending')
  await page.getByText('Its limit price').waitFor()
  await trader.page.getByRole('tab', { name: /Pending/ }).click()
  await trader.page
    .locator('tbody tr')
    .first()
    .getByRole('button', { name: 'Cancel', exact: true })
    .click()
  await trader.page.getByText('BTCUSD: Buy limit cancelled').waitFor()
  await see(risk, '/orders/history')
  await page.getByText('Cancelled by the trader').waitFor()
  await see(risk, '/orders/refused')
  await page.getByRole('heading', { name: 'Rejected requests' }).waitFor()
  for (const [path, name] of [
    ['/orders', 'open'],
    ['/orders/history', 'history'],
    ['/orders/fills', 'fills'],
    ['/funds', 'funds'],
  ]) {
    await see(risk, path)
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      assert.equal(wide, false, `${path} is wider than ${width}`)
      await check(page, `${path} at ${width}`)
      await picture(page, `desk-trader-${name}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.getByText('Balance after').waitFor()
  await see(risk, '/orders/fills')
  await page
    .getByRole('link', { name: /^BTCUSD #/ })
    .last()
    .click()
  await page.getByRole('heading', { name: /^Receipt of fill/ }).waitFor()
  await waitFor(async () => {
    await page.reload()
    return (await page.getByText(/^All checks passed/).count()) > 0
  }, 90_000)
  await check(page, 'the receipt of a fill')
  await picture(page, 'desk-receipt')
})

test('a note stays, and who may not log in is told why', async () => {
  await see(risk, '/notes')
  await risk.page.getByLabel('New note').fill('Prefers to be called.\nSpoke to them on Friday.')
  await risk.page.getByRole('button', { name: 'Add note' }).click()
  await risk.page.getByText('Spoke to them on Friday.').waitFor()
  await check(risk.page, 'the notes')
  await picture(risk.page, 'desk-notes')
  await see(risk, '/devices')
  await risk.page.getByRole('button', { name: 'End…' }).first().waitFor()
  await picture(risk.page, 'desk-devices')
  await restrict('login', 'unusual_activity', '1')
  const { page } = trader
  // Logs out on a page without the app, which could restore its session or redirect.
  await page.goto(`${server.url}/mark.svg`)
  await page.evaluate(() => localStorage.clear())
  await trader.go('/login')
  await page.getByLabel('Email address').fill(trader.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
  await page.getByText('You can’t log in at the moment').waitFor()
  await page.getByText('Reason: unusual activity on your account').waitFor()
  await check(page, 'a refused log-in')
  await picture(page, 'restricted-login')
  assert.deepEqual(trader.problems, [])
  assert.deepEqual(risk.problems, [])
})
