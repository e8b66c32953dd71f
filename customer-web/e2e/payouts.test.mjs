// Bank payouts, end to end: a maker copies a transfer into online banking, another person reads it at the bank; two transfers leave by one file that two people release.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture as look } from './lib/pictures.mjs'
import { startWithSandbox } from './lib/sandbox.mjs'
import { skipWait } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { steps } from './lib/steps.mjs'
import { Trader } from './lib/trader.mjs'

const DIGITS = '482915'
const IBAN = 'GB33BUKB20201555555555'

let browser
let both
let server
let trader
let maker
let checker
let reviewer
let single
let batched

const step = steps('payouts', () => ({ trader, maker, checker, reviewer }))

before(async () => {
  browser = await launch()
  both = await startWithSandbox()
  server = both.server
})
after(async () => {
  await browser?.close()
  await both?.stop()
})

async function payIn(amount) {
  const { page } = trader
  await trader.go('/deposite')
  await page.locator('label').filter({ hasText: 'Payment provider' }).click()
  await page.getByLabel('Amount').fill(amount)
  await trader.button('Continue').click()
  await page.getByRole('button', { name: 'I’ve paid' }).waitFor()
  const reference = /CD-[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(await both.sandbox.panel())[0]
  await both.sandbox.settle(reference, 'paid')
  await page.getByRole('heading', { name: 'Credited', exact: true }).waitFor()
}

async function comeAsTrader() {
  trader = await new Trader(browser, server, 'bea@trader.example', 390).open()
  await trader.register()
  await trader.setPaymentPassword(DIGITS)
  await payIn('900')
  await trader.identify('review')
  await trader.submitIdentity()
}

async function comeToTheDesk() {
  maker = await comeToDesk(browser, server, 'mia')
  checker = await comeToDesk(browser, server, 'chen')
  reviewer = await comeToDesk(browser, server, 'rae')
}

/** Requests a transfer to the saved bank account; returns its number. */
async function withdraw(amount) {
  const { page } = trader
  await trader.go('/withdraw')
  await page.locator('label').filter({ hasText: 'Bank transfer' }).click()
  await page.getByRole('radio', { name: /Mine/ }).check()
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await trader.button('Review').click()
  const sheet = page.getByRole('dialog')
  await trader.prove(DIGITS)
  await sheet.getByRole('button', { name: /^Withdraw/ }).click()
  await page.getByRole('heading', { name: 'In review', exact: true }).waitFor()
  return /WD-\d+/.exec(await page.getByRole('main').innerText())[0]
}

async function approved(amount) {
  const number = await withdraw(amount)
  await maker.approveWithdrawal(number)
  await checker.approveWithdrawal(number)
  return number
}

/** Claims the open case of a member. */
async function claim(member) {
  await member.page
    .getByRole('button', { name: /^Claim/ })
    .last()
    .click()
  await member.page.getByRole('button', { name: 'Release' }).waitFor()
}

/** Presses a button of the page and the act of its dialog, after filling it in. */
async function decide(member, open, act, fill = async () => {}) {
  await member.page.getByRole('button', { name: open }).click()
  await fill(member.dialog())
  await member.dialog().getByRole('button', { name: act }).click()
}

step('a verified trader with a bank account asks for money', async () => {
  await Promise.all([comeAsTrader(), comeToTheDesk()])
  await reviewer.approveIdentity()
  const { page } = trader
  await page.reload()
  await page.getByRole('heading', { name: 'Your identity is verified' }).waitFor()
  await trader.saveBank(DIGITS, {
    holder: 'Tess Tester',
    iban: IBAN,
    bic: 'BUKBGB22',
    bank: 'Specimen Bank',
    name: 'Mine',
  })
  await skipWait(server, 'payees')
  await page.reload()
  single = await approved('137.50')
})

step('the maker copies the transfer into online banking', async () => {
  const { page } = maker
  await maker.openWithdrawal(single)
  await claim(maker)
  await decide(maker, 'Start payout…', /^Start payout of/, async (dialog) => {
    await dialog.getByLabel('Pay from').selectOption({ index: 0 })
    await maker.typeCode()
    await look(page, 'payout-start')
  })
  await page.getByText('Copy into online banking').waitFor()
  await page.getByText(`CANDOR ${single.replace('-', '')}`).waitFor()
  await look(page, 'payout-copy')
  await check(page, 'a transfer to copy')
  await decide(maker, 'Mark as sent…', /^Mark 137\.50/, async (dialog) => {
    await dialog.getByLabel('Bank reference').fill('SPX-20112')
    await maker.typeCode()
  })
  await page.getByText(/Another person confirms it/).waitFor()
})

step('another person reads it at the bank before the page shows it', async () => {
  const { page } = checker
  await checker.openWithdrawal(single)
  assert.equal(await page.getByText('137.50').count(), 0)
  assert.equal(await page.getByText('SPX-20112').count(), 0)
  await claim(checker)
  const type = (amount) => async (dialog) => {
    await dialog.getByLabel('Amount debited').fill(amount)
    await dialog.getByLabel('Last 4 of the payee’s account').fill(IBAN.slice(-4))
    await dialog.getByLabel('Bank reference').fill('spx 20112')
    await checker.typeCode()
  }
  await decide(checker, 'Confirm at the bank…', 'Confirm payout', async (dialog) => {
    await type('137.05')(dialog)
    await look(page, 'payout-check')
    await check(page, 'the confirmation of a payout')
  })
  const refusal = checker.dialog().getByText(/Not what was sent/)
  await refusal.waitFor()
  await look(page, 'payout-mismatch')
  // What is typed next is about the withdrawal as it is now, and takes the error away.
  await type('137.50')(checker.dialog())
  assert.equal(await refusal.count(), 0)
  await checker.dialog().getByRole('button', { name: 'Confirm payout' }).click()
  await page.getByText(/is confirmed and completed/).waitFor()
  await trader.page.getByRole('heading', { name: 'Completed', exact: true }).waitFor() // without a reload
  await look(page, 'payout-confirmed')
})

step('cases are claimed by the handful, and small ones approved together', async () => {
  const { page } = maker
  const number = await withdraw('25')
  await page.goto(`${server.url}/admin/withdrawals`)
  await page.getByRole('button', { name: 'Claim next 10' }).click()
  await page.getByText('You claimed one case.').waitFor()
  await look(page, 'withdrawals-claimed')
  await page.getByRole('button', { name: 'Bulk approve…' }).click()
  await maker.dialog().getByText('None of your claimed cases can be approved together.').waitFor() // the trader’s money came in today
  await look(page, 'withdrawals-together-none')
  await check(page, 'the approval of several')
  await page.keyboard.press('Escape')
  await page.goto(`${server.url}/admin/withdrawals?mine=1&order=amount`)
  await page.getByRole('button', { name: 'Save view…' }).click()
  await maker.dialog().getByLabel('Name').fill('My claims')
  await maker.dialog().getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Remove view My claims' }).waitFor()
  await look(page, 'withdrawals-view')
  await check(page, 'a saved view')
  await page.goto(`${server.url}/admin/withdrawals`)
  await page.getByRole('link', { name: 'My claims' }).click()
  await page.getByText(number).first().waitFor()
  await maker.openWithdrawal(number)
  await decide(maker, /^Approve…/, /^Approve/, () => maker.typeCode())
})

step('two transfers leave by one file that two people release', async () => {
  batched = [await approved('100'), await approved('50')]
  for (const number of batched) {
    await maker.openWithdrawal(number)
    await claim(maker)
    await decide(maker, 'Add to batch…', 'Add to batch')
    await maker.page.getByText(/is in the open batch/).waitFor()
  }
  const { page } = maker
  await page.goto(`${server.url}/admin/payout-batches`)
  await page.getByRole('link', { name: /^PB-/ }).first().click()
  await page.getByText('150.00').first().waitFor()
  await decide(maker, 'Request release…', /^Request release/)
  await page.getByText(/awaits the second approver/).waitFor()
  await look(page, 'batch-requested')
  await checker.page.goto(page.url())
  await decide(checker, 'Release…', /^Release 150\.00/, async () => {
    await checker.typeCode()
    await look(checker.page, 'batch-release')
    await check(checker.page, 'the release of a batch')
  })
  await checker.page.getByText(/is released/).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /Bank file/ }).click(), // appears without a reload
  ])
  assert.match(download.suggestedFilename(), /^PB-\d+\.xml$/)
  await decide(maker, 'Mark as sent…', /^Mark 150\.00/, async (dialog) => {
    await dialog.getByLabel('Bank reference of the file').fill('FILE-77')
    await maker.typeCode()
  })
  await page.getByText(/is sent\. Another person confirms it/).waitFor()
  await checker.page.reload()
  assert.equal(await checker.page.getByText('FILE-77').count(), 0)
  await decide(checker, 'Confirm at the bank…', 'Confirm batch', async (dialog) => {
    await dialog.getByLabel('Transfers').fill('2')
    await dialog.getByLabel('Amount debited').fill('150')
    await dialog.getByLabel('Bank reference').fill('file 77')
    await checker.typeCode()
  })
  await checker.page.getByText(/is confirmed and completed/).waitFor()
  await look(checker.page, 'batch-completed')
  const { stdout } = await server.candor('verify', '--json')
  assert.equal(JSON.parse(stdout).ok, true, stdout)
  for (const one of [trader, maker, checker, reviewer]) assert.deepEqual(one.problems, [])
})
