// Two of finance start a campaign; a trader reads its terms, accepts, and earns the bonus by a deposit: it is margin, and can't be withdrawn. Then they offer one to
// the trader alone, who accepts it on a phone and gives it up.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { inChinese, picture } from './lib/pictures.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { steps } from './lib/steps.mjs'
import { Trader } from './lib/trader.mjs'

const WIDTHS = [390, 1440]

let browser
let server
let trader
let maker
let checker

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const step = steps('bonus', () => ({ trader, maker, checker }))

async function look(one, name) {
  const size = one.page.viewportSize()
  for (const width of WIDTHS) {
    await one.page.setViewportSize({ width, height: 900 })
    const where = `${name} at ${width}`
    if (one === trader) await checkBothThemes(one.page, where)
    else await check(one.page, where)
    await picture(one.page, name)
  }
  await one.page.setViewportSize(size)
  if (one !== trader) await inChinese(one.page, name)
}

/** Opens the trader's bonuses until a text is there: a job grants them. */
async function openBonuses(text) {
  await trader.go('/bonus')
  await waitFor(async () => {
    await trader.page.reload()
    return trader.page
      .getByText(text)
      .first()
      .waitFor({ timeout: 3_000 })
      .then(() => true)
      .catch(() => false)
  }, 60_000)
}

/** The checker approves the newest request. */
async function approve() {
  const { page } = checker
  await page.goto(`${server.url}/admin/bonuses`)
  await page.locator('[data-row] a').first().click()
  await page.getByRole('button', { name: 'Approve…' }).click()
  await look(checker, 'bonus-approve')
  await checker.typeCode()
  await checker.dialog().getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText(/BO-\d+ approved/).waitFor()
}

step('bonuses are switched on, and a trader is verified', async () => {
  const carl = await comeToDesk(browser, server, 'carl')
  await carl.switchOn(await comeToDesk(browser, server, 'ann'), 'bonus.enabled')
  trader = await new Trader(browser, server, 'tess@trader.example', 1440).open()
  await trader.register()
  await trader.identify()
  await trader.submitIdentity()
  await (await comeToDesk(browser, server, 'rae')).approveIdentity()
})

step('two of finance start a campaign', async () => {
  maker = await comeToDesk(browser, server, 'mia')
  checker = await comeToDesk(browser, server, 'chen')
  maker.checker = checker
  const { page } = maker
  await page.goto(`${server.url}/admin/bonuses`)
  await look(maker, 'bonuses-empty')
  await page.getByRole('button', { name: 'New campaign…' }).click()
  const dialog = maker.dialog()
  await dialog.getByLabel('Kind').selectOption('deposit')
  await dialog.getByLabel('Amount per trader').fill('200')
  await dialog.getByLabel('Share of the deposit').fill('20')
  await dialog.getByLabel('Smallest deposit').fill('100')
  await dialog.getByLabel('Days until a bonus expires').fill('60')
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Last day').fill(day)
  await dialog.getByLabel('Budget').fill('100')
  await dialog.getByLabel('Reason').fill('For the new season')
  await dialog.getByRole('button', { name: 'Request', exact: true }).click()
  await dialog.getByText('The budget must cover at least one bonus').waitFor()
  await look(maker, 'bonus-form')
  await dialog.getByLabel('Budget').fill('10,000')
  await dialog.getByRole('button', { name: 'Request', exact: true }).click()
  await page.getByText('Awaiting second approval').first().waitFor()
  await approve()
  await look(checker, 'bonus-campaign')
})

step('a trader reads the terms, accepts, and earns the bonus by a deposit', async () => {
  const { page } = trader
  await openBonuses('of a deposit')
  await look(trader, 'bonus-offered')
  await trader.button('Read terms and accept').click()
  await page.getByRole('dialog').getByText('never withdraw or transfer it').waitFor()
  await look(trader, 'bonus-terms')
  await trader.button('Accept bonus').click()
  await page.getByText('Waiting for your deposit', { exact: true }).waitFor()
  await look(trader, 'bonus-accepted')
  const number = await trader.deposit('500')
  await maker.approveDeposit(number, '500.00', 'BANK-REF-1440')
  await page.getByText('You can trade with it now.').waitFor()
  await openBonuses('Active')
  await page.getByText('100.00', { exact: true }).waitFor()
  await look(trader, 'bonus-active')
})

step('it is margin, and can not be withdrawn', async () => {
  const { page } = trader
  await trader.go('/mywallet')
  await page.getByRole('link', { name: 'Your bonuses' }).waitFor()
  const card = page.locator('section', {
    has: page.getByRole('heading', { name: 'Real account' }),
  })
  await card.getByText('600.00').first().waitFor()
  const free = card.getByText('Available to transfer or withdraw').locator('xpath=ancestor::div[1]')
  await free.getByText('500.00', { exact: true }).waitFor()
  await picture(page, 'bonus-wallet')
  await trader.go('/ledger')
  await page.getByText('Bonus granted').first().waitFor()
})

step('a bonus for one trader is accepted on a phone, and given up', async () => {
  const { page } = maker
  await page.goto(`${server.url}/admin/traders?q=tess@trader.example`)
  const link = page.locator('main a[href^="/admin/traders/"]').first()
  await page.goto(`${server.url}${await link.getAttribute('href')}`)
  await page.getByRole('button', { name: 'Give bonus…' }).click()
  await maker.dialog().getByLabel('Amount', { exact: true }).fill('25')
  await maker.dialog().getByLabel('Days until a bonus expires').fill('10')
  await maker.dialog().getByLabel('Reason').fill('We answered late')
  await look(maker, 'bonus-gift-form')
  await maker.dialog().getByRole('button', { name: 'Request', exact: true }).click()
  await page.getByText('Awaiting second approval').first().waitFor()
  await approve()

  const app = trader.page
  await app.setViewportSize({ width: 390, height: 844 })
  await openBonuses('Offered to you')
  await look(trader, 'bonus-gift')
  await trader.button('Read terms and accept').click()
  await trader.button('Accept bonus').click()
  await app.getByText('25.00', { exact: true }).waitFor()
  await trader.button('Give up').first().click()
  await look(trader, 'bonus-give-up')
  await app.getByRole('dialog').getByRole('button', { name: 'Give up' }).click()
  await app.getByText('Given up', { exact: true }).waitFor()
  await look(trader, 'bonus-ended')
  const { stdout } = await server.candor('outbox', '--json', '--to', trader.email)
  const kinds = JSON.parse(stdout).map((one) => one.kind)
  for (const kind of ['bonus_granted', 'bonus_offered', 'bonus_given_up'])
    assert.ok(kinds.includes(kind), kind)
  assert.deepEqual(trader.problems, [])
})

step('a campaign is stopped by one person, and the books agree', async () => {
  const { page } = checker
  await page.goto(`${server.url}/admin/bonuses?tab=applied`)
  await page.locator('[data-row]', { hasText: '200.00' }).locator('a').first().click()
  await page.getByRole('button', { name: 'Stop campaign…' }).click()
  await checker.dialog().getByRole('button', { name: 'Stop campaign', exact: true }).click()
  await page.getByText('Campaign stopped.').first().waitFor()
  await look(checker, 'bonus-stopped')
  const { stdout } = await server.candor('verify', '--json')
  assert.equal(JSON.parse(stdout).ok, true, stdout)
})
