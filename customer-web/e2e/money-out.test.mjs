// Withdrawals, end to end: a deposit through a provider, a verification, a saved address, and two withdrawals approved by two people. One is sent while its
// provider is unreachable, so its outcome is unknown; the other is paid at once.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture as look } from './lib/pictures.mjs'
import { startWithSandbox } from './lib/sandbox.mjs'
import { skipWait, waitFor } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { steps } from './lib/steps.mjs'
import { Trader } from './lib/trader.mjs'

const DIGITS = '482915'
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const ENDING = TRON.slice(-4)

let browser
let both
let server
let sandbox
let trader
let maker
let checker
let reviewer
let lost
let paid

const step = steps('money-out', () => ({ trader, maker, checker, reviewer }))

before(async () => {
  browser = await launch()
  both = await startWithSandbox()
  server = both.server
  sandbox = both.sandbox
})
after(async () => {
  await browser?.close()
  await both?.stop()
})

const heading = (name) => trader.page.getByRole('heading', { name, exact: true })

/** The stages of the open withdrawal, each with its label and state. */
const stages = async () => {
  const items = trader.page.getByRole('list', { name: 'Progress of this withdrawal' })
  const texts = await items.getByRole('listitem').locator('> span:first-child').allTextContents()
  return texts.map((text) => text.trim())
}

/** The rows of the sandbox's payout table. */
async function payouts() {
  const table = (await sandbox.panel()).split('<h2>Payouts</h2>')[1]
  return table
    .split('<tr>')
    .slice(1)
    .map((row) => [...row.matchAll(/<td>([^<]+)/g)].map(([, cell]) => cell))
}

async function payIn(amount) {
  const { page } = trader
  await trader.go('/deposite')
  await page.locator('label').filter({ hasText: 'Payment provider' }).click()
  await page.getByLabel('Amount').fill(amount)
  await trader.button('Continue').click()
  await page.getByRole('button', { name: 'I’ve paid' }).waitFor()
  const reference = /CD-[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(await sandbox.panel())[0]
  await sandbox.settle(reference, 'paid')
  await heading('Credited').waitFor() // without a reload
}

async function comeToTheDesk() {
  maker = await comeToDesk(browser, server, 'mia')
  checker = await comeToDesk(browser, server, 'chen')
  reviewer = await comeToDesk(browser, server, 'rae')
}

/** Requests a withdrawal of coins to the saved address on the phone; returns its number. */
async function withdraw(amount, { pictured = false } = {}) {
  const { page } = trader
  await trader.go('/withdraw')
  await page.locator('label').filter({ hasText: 'Crypto withdrawal' }).click()
  await page.getByRole('radio', { name: /Exchange/ }).check()
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  if (pictured) {
    await check(page, 'a new withdrawal')
    await look(page, 'money-out-new')
  }
  await trader.button('Review').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(/deducted from your account immediately/).waitFor()
  await trader.prove(DIGITS)
  if (pictured) {
    await check(page, 'the review of a withdrawal')
    await look(page, 'money-out-review')
  }
  await sheet.getByRole('button', { name: /^Withdraw/ }).click()
  await heading('In review').waitFor()
  return /WD-\d+/.exec(await page.getByRole('main').innerText())[0]
}

/** Makes a trader with money, a payment password, an address and an application that awaits review. */
async function comeAsTrader() {
  trader = await new Trader(browser, server, 'tess@trader.example', 390).open()
  await trader.register()
  await trader.setPaymentPassword(DIGITS)
  await trader.saveAddress(DIGITS, { network: 'TRON (TRC-20)', address: TRON, name: 'Exchange' })
  await payIn('500')
  await trader.identify('review')
  await trader.submitIdentity()
}

step('a trader gets ready for money out while people take their desks', async () => {
  await Promise.all([comeAsTrader(), comeToTheDesk()])
  await reviewer.approveIdentity()
  await trader.page.reload()
  await heading('Your identity is verified').waitFor() // waits for the redirect, which would override an earlier navigation
})

step('an address can be used after its day, not before', async () => {
  const { page } = trader
  await trader.go('/withdraw')
  await page.locator('label').filter({ hasText: 'Crypto withdrawal' }).click()
  await page.getByText('None of your addresses can be used yet.').waitFor()
  assert.ok(await page.getByRole('radio', { name: /Exchange/ }).isDisabled())
  assert.equal(await skipWait(server, 'payees'), 1)
  await page.reload()
})

step('two people approve what the trader asked for; who approved first can’t confirm', async () => {
  const { page } = trader
  lost = await withdraw('120', { pictured: true })
  assert.deepEqual(await stages(), [
    'Requested: done',
    'First approval: now',
    'Second approval: to come',
    'On its way: to come',
    'Sent: to come',
    'Arrived: to come',
  ])
  await look(page, 'money-out-in-review')
  await maker.approveWithdrawal(lost, { pictured: true })
  await heading('Second approval').waitFor() // without a reload
  await look(page, 'money-out-second')
  await maker.page.getByRole('button', { name: /^Approve/, disabled: true }).waitFor()
  // A live update replaces the case: for a moment the buttons from before are still there.
  for (const name of [/^Approve/, /^Claim(?! next)/])
    await waitFor(async () => {
      const enabled = maker.page.getByRole('button', { name, disabled: false })
      return (await enabled.count()) === 0
    })
  const approve = maker.page.getByRole('button', { name: /^Approve/, disabled: true })
  assert.equal(await approve.getAttribute('title'), 'Only a finance checker can do this.')
  const refused = await maker.page.request.get(`${maker.page.url()}/confirmation`)
  assert.equal(refused.status(), 403)
})

step('a provider that can’t be reached leaves the outcome open, and the money held', async () => {
  const { page } = trader
  await sandbox.behave('mute')
  await checker.approveWithdrawal(lost, { proof: ENDING, pictured: true })
  await heading('Checking with our provider').waitFor()
  await page.getByText(/hasn’t confirmed whether it was sent/).waitFor()
  await page.getByText(/won’t be sent twice or lost/).waitFor()
  assert.equal(await trader.button('Cancel this withdrawal').count(), 0)
  await check(page, 'a withdrawal of which nobody knows')
  await look(page, 'money-out-unknown')
  await checker.page.reload()
  await checker.page.getByText('Outcome unknown').first().waitFor()
  await checker.page.getByText('No answer from the provider').waitFor()
  await look(checker.page, 'desk-money-out-unknown')
  await maker.openWithdrawal(lost)
  for (const name of ['Start payout…', 'Mark as sent…'])
    assert.equal(await maker.page.getByRole('button', { name }).count(), 0, name)
  assert.deepEqual(await payouts(), [[lost, '120 USDT', 'accepted']])
  await trader.go('/withdraw')
  await page.getByText('380.00', { exact: true }).first().waitFor() // of 500: still debited
  // The provider sends it without an event: only a query finds out.
  await sandbox.behave('lost_events')
  await sandbox.payout(lost, 'sent')
  await sandbox.payout(lost, 'confirmed')
  await sandbox.behave('well')
})

step('another one is sent and arrives before the trader’s eyes', async () => {
  const { page } = trader
  paid = await withdraw('80')
  assert.notEqual(paid, lost)
  await maker.approveWithdrawal(paid)
  await heading('Second approval').waitFor()
  await checker.approveWithdrawal(paid, { proof: ENDING })
  await heading('Being sent').waitFor()
  await look(page, 'money-out-sending')
  await sandbox.payout(paid, 'sent')
  await heading('Sent').waitFor()
  await page.getByText('0 / 3').waitFor()
  await look(page, 'money-out-sent')
  await sandbox.payout(paid, 'confirmed')
  await heading('Completed').waitFor()
  const hash = await arrived()
  await check(page, 'a withdrawal that arrived')
  await look(page, 'money-out-completed')
  await seenAtTheDesk(paid, '80.00', hash)
  await look(maker.page, 'desk-money-out-completed')
})

/** Checks that the open withdrawal completed every stage and links to its transaction. */
async function arrived() {
  const { page } = trader
  assert.deepEqual(
    (await stages()).filter((text) => !text.endsWith(': done')),
    [],
  )
  await page.getByText('3 / 3').waitFor()
  const receipt = page.getByRole('link', { name: 'View in block explorer' })
  const link = await receipt.getAttribute('href')
  const [hash] = /[0-9a-f]{64}$/.exec(link)
  assert.ok(link.startsWith('https://tronscan.org/#/transaction/'), link)
  await page.getByText(hash).waitFor()
  return hash
}

/** Checks that the desk shows the withdrawal as completed, with its transaction, and that the provider was asked to send it once. */
async function seenAtTheDesk(number, amount, hash) {
  const { page } = maker
  await maker.openWithdrawal(number)
  const main = page.getByRole('main')
  await main.getByText('Completed').first().waitFor()
  await main.getByText(`${amount} USDT`).first().waitFor()
  await main.getByText('3 of 3').first().waitFor()
  await main
    .getByText(/reported “confirmed” at/)
    .first()
    .waitFor()
  await main.getByText(hash).first().waitFor()
  assert.equal(await main.getByText('Payout requested from the provider').count(), 1)
}

step('the provider is asked again at the desk, and what nobody knew is proved paid', async () => {
  const { page } = trader
  await trader.go('/withdraw?tab=history')
  await page.getByRole('link').filter({ hasText: lost }).click()
  await maker.openWithdrawal(lost)
  // When the server's own query was quicker, the button is gone.
  const enquire = maker.page.getByRole('button', { name: 'Check with provider', exact: true })
  if ((await enquire.count()) > 0) {
    await enquire.click()
    await maker.page.getByText(/The provider answered about/).waitFor()
  }
  await heading('Completed').waitFor()
  await seenAtTheDesk(lost, '120.00', await arrived())
  assert.deepEqual(await payouts(), [
    [lost, '120 USDT', 'confirmed'],
    [paid, '80 USDT', 'confirmed'],
  ])
})

step('the statement has each amount once, and candor verify says that all is proved', async () => {
  const { page } = trader
  await trader.go('/ledger')
  await page.getByRole('heading', { name: 'Movements' }).waitFor()
  const lines = await waitFor(async () => {
    const all = await page
      .getByRole('listitem')
      .filter({ hasText: /Withdrawal|Deposit/ })
      .allInnerTexts()
    return all.length >= 3 && all.map((text) => text.replace(/\s+/g, ' '))
  })
  assert.equal(lines.length, 3, lines.join('\n'))
  assert.match(lines[0], /^Withdrawal .*WD-\d+ −80\.00 Balance 300\.00$/)
  assert.match(lines[1], /^Withdrawal .*WD-\d+ −120\.00 Balance 380\.00$/)
  assert.match(lines[2], /^Deposit .*\+500\.00 Balance 500\.00$/)
  await look(page, 'money-out-ledger')
  const { stdout } = await server.candor('verify', '--json')
  assert.equal(JSON.parse(stdout).ok, true, stdout)
  for (const one of [trader, maker, checker, reviewer]) assert.deepEqual(one.problems, [])
})
