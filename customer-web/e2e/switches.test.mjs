// Staff change switches: one person a display switch, two people a fee, and one person at once what reduces risk. A trader's app follows by itself.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

const WHY = 'The board decided so on Friday.'
/** The maximum time in ms until a change reaches an app. */
const SOON = 4_000

let browser
let server
let trader
let admin
let approver
let risk

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function open(member, key) {
  await member.page.goto(`${server.url}/admin/switches/${key}`)
}

/** Enters another value of a key, reviews the difference and submits it. */
async function change(key, value, act) {
  await open(admin, key)
  await admin.page.getByRole('button', { name: 'Change…' }).click()
  const field = admin.dialog().getByLabel('Value', { exact: true })
  if ((await field.evaluate((element) => element.tagName)) === 'SELECT')
    await field.selectOption(value)
  else await field.fill(value)
  await admin.dialog().getByLabel('Reason').fill(WHY)
  await admin.dialog().getByRole('button', { name: 'Review changes' }).click()
  await admin.dialog().getByRole('button', { name: act }).click()
  await admin.dialog().waitFor({ state: 'hidden' })
}

test('people take their desks, and a trader looks at the home page', async () => {
  admin = await comeToDesk(browser, server, 'carl')
  approver = await comeToDesk(browser, server, 'ann')
  risk = await comeToDesk(browser, server, 'rick')
  trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
})

test('a display switch is flipped by one person, and the app follows without loading anew', async () => {
  await trader.go('/home/index')
  const banner = trader.page.getByText('Every fill has a proof').first()
  await banner.waitFor()
  await change('banner.enabled', 'false', 'Apply now')
  await admin.page.getByText('CR-1 is in force.').waitFor()
  await banner.waitFor({ state: 'hidden', timeout: SOON })
  await admin.page.getByRole('button', { name: 'Restore this version…' }).click()
  await admin.dialog().getByLabel('Reason').fill(WHY)
  await admin.dialog().getByRole('button', { name: 'Apply now' }).click()
  await banner.waitFor({ timeout: SOON })
})

test('a fee takes two people, and the trader reads it before paying in', async () => {
  await trader.go('/deposite')
  await trader.page.getByText('No fee from us').first().waitFor()
  await change('recharge.fee_rate', '0.5', 'Request approval')
  await admin.page.getByText(/is awaiting a second approval/).waitFor()
  assert.equal(await admin.page.getByRole('button', { name: 'Approve…' }).count(), 0)
  await approver.page.goto(`${server.url}/admin/switches?tab=open`)
  for (const width of [390, 1440]) {
    await approver.page.setViewportSize({ width, height: 900 })
    await check(approver.page, `the switches at ${width}`)
    await picture(approver.page, 'desk-switches-open')
  }
  await open(approver, 'recharge.fee_rate')
  for (const width of [390, 1440]) {
    await approver.page.setViewportSize({ width, height: 900 })
    await check(approver.page, `a switch at ${width}`)
    await picture(approver.page, 'desk-switch')
  }
  await approver.page.getByRole('button', { name: 'Approve…' }).click()
  await approver.dialog().getByLabel('Type the key to confirm').fill('recharge.fee')
  await approver.dialog().getByRole('button', { name: 'Approve', exact: true }).click()
  await approver.dialog().getByText('Type the key exactly as shown.').waitFor()
  await approver.dialog().getByLabel('Type the key to confirm').fill('recharge.fee_rate')
  await check(approver.page, 'the dialog that agrees')
  await picture(approver.page, 'desk-switch-agree')
  await approver.dialog().getByRole('button', { name: 'Approve', exact: true }).click()
  await approver.dialog().waitFor({ state: 'hidden' })
  await trader.page
    .getByText(/Our fee: .?0\.50%/)
    .first()
    .waitFor({ timeout: SOON })
  await trader.page.getByLabel('Amount', { exact: true }).fill('1000')
  await trader.page
    .getByText(/^995\b/)
    .first()
    .waitFor()
  for (const width of [390, 1440]) {
    await trader.page.setViewportSize({ width, height: 900 })
    await check(trader.page, `a deposit with a fee at ${width}`)
    await picture(trader.page, 'deposit-fee')
  }
})

test('a value that contradicts another one is refused beside its field', async () => {
  await open(admin, 'withdraw.minimum')
  await admin.page.getByRole('button', { name: 'Change…' }).click()
  const dialog = admin.dialog()
  for (const [value, problem] of [
    ['2000000', /It would conflict with “Maximum withdrawal”/],
    ['-1', /0\.0001 USDT to 1,000,000,000 USDT/],
    ['10', /This is already in force/],
  ]) {
    await dialog.getByLabel('Value', { exact: true }).fill(value)
    await dialog.getByLabel('Reason').fill(WHY)
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await dialog.getByText(problem).first().waitFor()
  }
  await check(admin.page, 'the form of a change')
  await picture(admin.page, 'desk-switch-form')
})

/** Shows the trader money to convert in the answers of the wallet. */
async function lendMoney({ page }) {
  await page.route('**/findByWalletList', async (route) => {
    const json = await (await route.fetch()).json()
    const account = json.data.accounts.find(({ kind }) => kind === 'funding')
    Object.assign(account, { balance: '60', available: '60', valueUsdt: '60' })
    await route.fulfill({ json })
  })
}

test('what reduces risk is switched off at once, and another person looks at it', async () => {
  await lendMoney(trader)
  await trader.go('/mywallet')
  const convert = trader.page.getByRole('button', { name: /^Convert: / }).first()
  await convert.waitFor()
  await open(risk, 'exchange.enabled')
  await risk.page.getByRole('button', { name: 'Switch off now…' }).click()
  await risk.dialog().getByLabel('Reason').fill('Rates of one pair look wrong.')
  await picture(risk.page, 'desk-switch-stop')
  await risk.dialog().getByRole('button', { name: 'Switch off now' }).click()
  await risk.dialog().waitFor({ state: 'hidden' })
  await convert.waitFor({ state: 'hidden', timeout: SOON })
  await open(approver, 'exchange.enabled')
  await approver.page.getByText('Stopped, review due').first().waitFor()
  await approver.page.getByRole('button', { name: 'Mark as justified…' }).click()
  await approver.dialog().getByLabel('Findings').fill('The feed had a gap, so it was.')
  await approver.dialog().getByRole('button', { name: 'Mark as justified', exact: true }).click()
  await approver.page.getByText(/Your review of CR-\d+ is saved/).waitFor()
  assert.deepEqual(trader.problems, [])
  for (const member of [admin, approver, risk]) assert.deepEqual(member.problems, [])
})
