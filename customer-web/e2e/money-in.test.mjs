// Deposits through providers, on the trader's phone and at the desk: a payment page with a signed event, a merchant over the counter who must be asked twice,
// and coins that a network drops, restores, and finally drops for good.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { pdf } from './lib/pdf.mjs'
import { picture as shot } from './lib/pictures.mjs'
import { startWithSandbox } from './lib/sandbox.mjs'
import { waitFor } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

const PATIENCE = 100_000 // a job asks the providers each minute

let browser
let both
let server
let sandbox
let maker
let checker

before(async () => {
  browser = await launch()
  both = await startWithSandbox()
  server = both.server
  sandbox = both.sandbox
  maker = await comeToDesk(browser, server, 'mia')
  checker = await comeToDesk(browser, server, 'chen')
})
after(async () => {
  await browser?.close()
  await both?.stop()
})

/** Runs a journey of a registered trader on a phone; a failure saves screenshots of the phone and of the desk. */
async function onPhone(name, act) {
  const trader = await new Trader(browser, server, `${name}@trader.example`, 390).open()
  try {
    await trader.register()
    await act(trader, trader.page)
    assert.deepEqual(trader.problems, [])
  } catch (error) {
    for (const [whose, page] of [
      ['trader', trader.page],
      ['desk', maker.page],
    ])
      await page.screenshot({ path: join(tmpdir(), `candor-${name}-${whose}.png`) }).catch(() => {})
    throw error
  }
  await trader.close()
}

/** Chooses a deposit method, and an amount if given. */
async function begin(trader, way, amount) {
  const { page } = trader
  await trader.go('/deposite')
  for (const choice of [way].flat()) await page.locator('label').filter({ hasText: choice }).click()
  if (amount === undefined) return undefined
  await page.getByLabel('Amount').fill(amount)
  await trader.button('Continue').click()
  await page.waitForURL((url) => /id=\d+/.test(url.hash))
  return waitFor(
    async () =>
      /CD-[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(await page.evaluate(() => document.body.innerText))?.[0],
  )
}

/** The number of the deposit on the phone. */
async function numberOn(page) {
  return waitFor(async () => /DP-\d+/.exec(await page.evaluate(() => document.body.innerText))?.[0])
}

/** Waits until the phone shows a text by itself. */
const shows = (page, text) =>
  page.getByText(text).filter({ visible: true }).first().waitFor({ timeout: PATIENCE })

/** Opens a deposit at the desk. */
async function open(member, number) {
  await member.page.goto(`${server.url}/admin/deposits/${number.slice(3)}`)
  await shows(member.page, number)
}

describe('money in', () => {
  test('a provider’s page is paid, its signed event credits, and the desk sees what it said', async () => {
    await onPhone('thea', async (trader, page) => {
      await begin(trader, 'Payment provider', '150')
      await shows(page, 'Waiting for your payment')
      await check(page, 'a payment at a provider')
      await shot(page, 'deposit-redirected')
      const number = await numberOn(page)
      await trader.button('Open payment page').click()
      await page.waitForURL((url) => url.href.startsWith(sandbox.url))
      await page.getByRole('button', { name: /pay/i }).first().click()
      await page.waitForURL((url) => url.href.startsWith(server.url))
      await shows(page, 'You can trade with it now.')
      await shot(page, 'deposit-credited')
      await open(maker, number)
      await shows(maker.page, 'Credited')
      await shows(maker.page, 'Sandbox')
      await check(maker.page, 'a deposit of a provider at the desk')
      await shot(maker.page, 'desk-deposit-provider')
    })
  })

  test('over the counter: paid, not confirmed, appealed, asked again, credited', async () => {
    await onPhone('otto', async (trader, page) => {
      const reference = await begin(trader, 'OTC', '120')
      await page.getByRole('heading', { name: /Pay .*111\.20.* EUR, receive .*120/ }).waitFor()
      await page.getByText('1 USDT = 0.9267 EUR').first().waitFor()
      assert.equal(await page.getByText('Sandbox Merchant').count(), 0)
      await check(page, 'an offer over the counter')
      await shot(page, 'deposit-otc-offer')
      await trader.button('Accept and see payment details').click()
      await page.getByText('Sandbox Merchant').waitFor()
      for (const what of ['IBAN', 'Amount (EUR)', 'Payment reference'])
        await trader.button(`Copy: ${what}`).waitFor()
      await check(page, 'whom to pay over the counter')
      await shot(page, 'deposit-otc')
      const proof = { name: 'confirmation.pdf', mimeType: 'application/pdf', buffer: pdf(12) }
      await page.locator('input[type=file]').last().setInputFiles(proof)
      await page.getByText('confirmation.pdf', { exact: true }).waitFor()
      await shot(page, 'deposit-proof-pdf')
      await trader.button('I’ve paid').click()
      const waiting = page.getByText('Waiting for the merchant').first()
      await waiting.waitFor({ timeout: PATIENCE }) // the first PDF of a server takes longest
      await shows(page, /The merchant aims to confirm/)
      await shot(page, 'deposit-otc-paid')
      await trader.button('Appeal…').click()
      await page.getByLabel('What happened').fill('I paid the merchant an hour ago.')
      await check(page, 'an appeal')
      await shot(page, 'deposit-appeal')
      await trader.button('Submit appeal').click()
      await shows(page, 'Appeal open')
      const number = await numberOn(page)
      await maker.page.goto(`${server.url}/admin/deposits`)
      await maker.page.getByRole('link', { name: number }).first().click()
      await shows(maker.page, 'I paid the merchant an hour ago.')
      await shows(maker.page, 'Rendered from a PDF')
      await shows(maker.page, '3 of 12 pages')
      await shot(maker.page, 'desk-deposit-appeal')
      await sandbox.behave('lost_events') // only a query brings the answer
      await sandbox.settle(reference, 'paid')
      await maker.page
        .getByRole('button', { name: /^Claim/ })
        .last()
        .click()
      await maker.page.getByRole('button', { name: 'Check with provider' }).click()
      await maker.page.getByText(`${number} checked with the provider.`).waitFor()
      await sandbox.behave('well')
      await shows(page, 'You can trade with it now.')
    })
  })

  test('coins: dropped and mined again they are credited; gone for good, two people take them back', async () => {
    await onPhone('cora', async (trader, page) => {
      await begin(trader, ['Crypto', 'TRON'])
      await page.getByText(/Send only USDT on .*TRON/).waitFor()
      await page.getByRole('img', { name: /QR code/ }).waitFor()
      await check(page, 'the address for coins')
      await shot(page, 'deposit-coins')
      const address = (
        await page.getByText('Your address').locator('xpath=following-sibling::bdi').textContent()
      ).replaceAll(' ', '')
      assert.match(address, /^T[1-9A-HJ-NP-Za-km-z]{33}$/)
      const reference = await sandbox.referenceOf(address)
      const id = await sandbox.receive(reference, 'USDT', 'tron', '250.5')
      await shows(page, 'On its way')
      await page.getByText('On its way').first().click()
      await page.waitForURL((url) => /id=\d+/.test(url.hash))
      const number = await numberOn(page)
      await sandbox.mine(id)
      await sandbox.reorganise(id)
      await shows(page, 'Dropped by the network')
      await sandbox.reappear(id)
      await shows(page, 'On its way')
      for (let block = 0; block < 3; block++) await sandbox.mine(id)
      await shows(page, 'You can trade with it now.')
      await shot(page, 'deposit-coins-credited')

      await sandbox.reorganise(id)
      const request = maker.page.getByRole('button', { name: 'Request reversal' })
      await waitFor(async () => {
        await open(maker, number)
        return request.isVisible()
      }, PATIENCE)
      await shows(maker.page, 'Gone after credit')
      await request.click()
      await maker
        .dialog()
        .getByLabel('Reason for the reversal')
        .fill('The chain dropped the transaction.')
      await maker.typeCode()
      await check(maker.page, 'the dialog that takes back')
      await shot(maker.page, 'desk-deposit-reversal')
      await maker
        .dialog()
        .getByRole('button', { name: /^Request reversal of/ })
        .click()
      await shows(maker.page, '1 of 2')
      await open(checker, number)
      await checker.page.getByRole('button', { name: 'Approve as second approver' }).click()
      await checker.typeCode()
      await checker
        .dialog()
        .getByRole('button', { name: /^Reverse / })
        .click()
      await shows(checker.page, 'Reversed')
      await page.reload()
      await shows(page, 'Reversed')
      await shot(page, 'deposit-coins-reversed')
    })
  })

  test('the books agree, and the desks had no errors', async () => {
    const { stdout } = await server.candor('verify', '--json')
    assert.equal(JSON.parse(stdout).ok, true, stdout)
    assert.deepEqual([...maker.problems, ...checker.problems], [])
  })
})
