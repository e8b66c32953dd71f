// A trader whose phone is lost shows customer service who they are; one member of staff asks for the second factor to be removed, another one agrees, and the
// trader is in again, without withdrawals for three days. Then the same two make the trader a partner.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { totp } from './lib/desk.mjs'
import { inChinese, picture } from './lib/pictures.mjs'
import { skipWait, startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { PASSWORD, paper, Trader } from './lib/trader.mjs'

let browser
let server
let trader
let reviewer
let lead
let uid
let conversation

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function look(member, name) {
  const size = member.page.viewportSize()
  for (const width of [390, 1440]) {
    await member.page.setViewportSize({ width, height: 900 })
    await check(member.page, `${name} at ${width}`)
    await checkBothThemes(member.page, `${name} at ${width}`)
    await picture(member.page, name)
  }
  await member.page.setViewportSize(size)
  await inChinese(member.page, name)
}

async function logIn() {
  const { page } = trader
  await trader.go('/login')
  await page.getByLabel('Email address').fill(trader.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
}

test('a verified trader sets up an authenticator, and loses the phone', async () => {
  trader = await new Trader(browser, server, 'tess@trader.example', 1440).open()
  const { page } = trader
  await trader.register()
  await trader.identify()
  await trader.submitIdentity()
  reviewer = await comeToDesk(browser, server, 'rae')
  lead = await comeToDesk(browser, server, 'cleo')
  await reviewer.approveIdentity()
  await trader.go('/secondFactor')
  await trader.button('Set up authenticator').click()
  await page.getByRole('dialog').getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await trader.sendCode()
  await trader.button('Continue').click()
  const key = page.getByRole('dialog').locator('dd bdi').first()
  await key.waitFor()
  const secret = (await key.textContent()).replace(/\s/g, '')
  await page.getByLabel('Authenticator code').fill(totp(secret))
  await trader.button('Turn on').click()
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await skipWait(server, 'authenticators') // now, as it would look like a use of the lost phone later
  await trader.go('/myCenter')
  await trader.button('Log out').last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/login'))
})

test('the trader shows who they are in a conversation', async () => {
  const { page } = trader
  await trader.go('/kefu')
  await page.getByLabel('Message', { exact: true }).fill('I lost my phone and the codes')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  for (const [name, seed] of [
    ['myself.png', 5],
    ['passport.png', 6],
  ]) {
    const chosen = page.waitForEvent('filechooser')
    await trader.button('Attach a picture or PDF').click()
    await (await chosen).setFiles({ name, mimeType: 'image/png', buffer: paper(seed) })
    await page.getByRole('img', { name: 'The picture that will be sent' }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page
      .getByRole('img', { name: 'The picture that will be sent' })
      .waitFor({ state: 'detached' })
  }
  await reviewer.page.goto(`${server.url}/admin/chat?tab=all`)
  const row = reviewer.page
    .locator('a[href^="/admin/chat/"]')
    .filter({ hasText: 'Visitor' })
    .first()
  conversation = (await row.getAttribute('href')).match(/chat\/(\d+)/)[1]
  await row.click()
  await reviewer.page.getByText('I lost my phone and the codes').first().waitFor()
  await look(reviewer, 'compliance-chat')
})

test('a reviewer asks for the second factor to be removed', async () => {
  const { page } = reviewer
  await page.goto(`${server.url}/admin/traders?q=tess@trader.example`)
  const link = page.locator('main a[href^="/admin/traders/"]').first()
  uid = (await link.getAttribute('href')).match(/\d+/)[0]
  await page.goto(`${server.url}/admin/traders/${uid}`)
  await page.getByRole('button', { name: 'Change account…' }).click()
  await reviewer.dialog().getByLabel('Change', { exact: true }).selectOption('reset_factor')
  await reviewer.dialog().getByLabel('Reason').fill('The phone was stolen; the codes were on it')
  await look(reviewer, 'account-change-form')
  await reviewer.dialog().getByRole('button', { name: 'Request change' }).click()
  await reviewer.dialog().getByText('No conversation of this trader').waitFor()
  await reviewer.dialog().getByLabel('Support conversation').fill(conversation)
  await reviewer.dialog().getByRole('button', { name: 'Request change' }).click()
  await reviewer
    .dialog()
    .getByText('Compare the pictures with the verified documents first')
    .waitFor()
  await look(reviewer, 'account-change-refused')
  await reviewer
    .dialog()
    .getByLabel(/I compared the pictures/)
    .check()
  await reviewer.dialog().getByRole('button', { name: 'Request change' }).click()
  await page.getByText('Awaiting second approval').first().waitFor()
  await look(reviewer, 'account-change-asked')
})

test('a lead agrees, and the trader is in again without a factor', async () => {
  const { page } = lead
  await page.goto(`${server.url}/admin/account-changes`)
  await look(lead, 'account-changes')
  await page.locator('[data-row] a').first().click()
  await page.getByRole('button', { name: 'Approve…' }).click()
  await look(lead, 'account-change-approve')
  await lead.typeCode()
  await lead.dialog().getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText(/AC-\d+ approved/).waitFor()
  await page.goto(`${server.url}/admin/account-changes?tab=applied`)
  await page.locator('[data-row] a').first().click()
  await look(lead, 'account-change-done')

  await logIn()
  await trader.page.waitForURL((url) => !url.hash.startsWith('#/login'))
  await trader.go('/securityEvents')
  await trader.page.getByText('Second factor removed by customer service').waitFor()
  await picture(trader.page, 'security-after-reset')
  const { stdout } = await server.candor('outbox', '--json', '--to', trader.email)
  const kinds = JSON.parse(stdout).map((one) => one.kind)
  for (const kind of ['factor_reset_asked', 'factor_reset']) assert.ok(kinds.includes(kind), kind)
})

test('the same two make the trader a partner', async () => {
  await reviewer.page.goto(`${server.url}/admin/traders/${uid}`)
  await reviewer.page.getByRole('button', { name: 'Change account…' }).click()
  await reviewer.dialog().getByLabel('Change', { exact: true }).selectOption('make_partner')
  await reviewer.dialog().getByLabel('Reason').fill('Contract of 27 November')
  await reviewer.dialog().getByRole('button', { name: 'Request change' }).click()
  await reviewer.page.getByText('Awaiting second approval').first().waitFor()
  await lead.page.goto(reviewer.page.url())
  await lead.page.getByRole('button', { name: 'Approve…' }).click()
  await lead.typeCode()
  await lead.dialog().getByRole('button', { name: 'Approve', exact: true }).click()
  await lead.page.getByText(/AC-\d+ approved/).waitFor()
  await trader.go('/myCenter')
  await trader.page.reload()
  await trader.page.getByText('Partner').first().waitFor()
  assert.deepEqual(trader.problems, [])
})
