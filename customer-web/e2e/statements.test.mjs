// A bank statement is imported, its lines are matched with a deposit or explained by two people, and the books agree with the bank.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { mt940 } from './lib/statement.mjs'
import { Trader } from './lib/trader.mjs'

let browser
let server
let mia
let chen
let number

before(async () => {
  browser = await launch()
  server = await startServer()
  mia = await comeToDesk(browser, server, 'mia')
  chen = await comeToDesk(browser, server, 'chen')
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Imports a file at the maker's desk. */
async function importFile(file) {
  await mia.page.goto(`${server.url}/admin/statements`)
  await mia.page.keyboard.press('i')
  await mia.dialog().getByLabel('File').setInputFiles(file)
  await mia.dialog().getByRole('button', { name: 'Import' }).click()
}

const row = (member, text) => member.page.locator('article', { hasText: text })

test('a statement is imported, and its lines find their cases', async () => {
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  number = await trader.deposit('1500')
  await trader.go('/deposite')
  await trader.close()
  await mia.page.goto(`${server.url}/admin/deposits`)
  await mia.page.getByRole('link', { name: number }).first().click()
  const reference = await mia.page
    .getByText(/^CD-[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    .first()
    .innerText()
  await chen.page.goto(`${server.url}/admin/statements?tab=all`)
  const file = mt940(1, 1_000_000, [
    { cents: 150_000, bank: 'BANK77001', name: 'TESS EXAMPLE', text: `${reference} thank you` },
    { cents: -3_500, bank: 'FEE77002', name: 'Specimen Bank', text: 'Account fee November' },
    { cents: 42_000, bank: 'BANK77003', name: 'A Stranger', text: 'deposit' },
  ])
  await importFile(file)
  await mia.page.getByText('3 lines imported, 0 were known already.').waitFor()
  await picture(mia.page, 'statement-imported')
  await checkBothThemes(mia.page, 'the lines of a statement')
  // The second desk hears of it.
  await chen.page.getByRole('button', { name: 'The list has changed. Show it' }).waitFor()
  await importFile(file)
  await mia.dialog().getByText('This file was imported already as BS-7001.').waitFor()
  await picture(mia.page, 'statement-twice')
  await mia.page.keyboard.press('Escape')
  await importFile({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('no statement') })
  await mia.dialog().getByText('Nothing was imported.').waitFor()
  await mia.page.keyboard.press('Escape')
})

test('a line is matched with its deposit by keyboard', async () => {
  const { page } = mia
  await page.goto(`${server.url}/admin/statements`)
  await row(mia, `${number} · 85`).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Possible matches' }).waitFor()
  await picture(page, 'statement-line')
  await checkBothThemes(page, 'a line')
  await page.keyboard.press('m')
  await mia.dialog().getByLabel('Case').waitFor()
  assert.equal(await mia.dialog().getByLabel('Case').inputValue(), number)
  await mia.typeCode()
  await picture(page, 'statement-match')
  await mia.dialog().getByRole('button', { name: 'Match +1,500.00 USD' }).click()
  await page.getByText(`matched with ${number}.`).waitFor()
  await picture(page, 'statement-matched')
  await page.goto(`${server.url}/admin/deposits/${number.replace('DP-', '')}`)
  await page.getByText('BANK77001').first().waitFor()
})

test('two people explain a line that is no deposit', async () => {
  const { page } = mia
  await page.goto(`${server.url}/admin/statements?tab=unclaimed`)
  await row(mia, 'Account fee November').getByRole('link').click()
  await page.getByText('Nothing fits. Match it by number, or explain it.').waitFor()
  const address = page.url()
  await page.keyboard.press('x')
  await mia.dialog().getByLabel('What it is').selectOption('bank_fee')
  await mia.dialog().getByRole('button', { name: 'Request approval' }).click()
  await mia.dialog().locator('#why-error').waitFor()
  await mia.dialog().getByLabel('Evidence').fill('The fee of November, by the bank’s price list.')
  await picture(page, 'statement-explain')
  await checkBothThemes(page, 'an explanation')
  await mia.dialog().getByRole('button', { name: 'Request approval' }).click()
  await page.getByText('awaits the second approver.').waitFor()
  await chen.page.goto(address)
  await chen.page.getByRole('button', { name: /^Approve/ }).click()
  await chen.dialog().getByText('The fee of November').waitFor()
  await chen.typeCode()
  await picture(chen.page, 'statement-agree')
  await chen.dialog().getByRole('button', { name: 'Approve −35.00 USD' }).click()
  await chen.page.getByText(/BL-\d+ explained\./).waitFor()
  await page.locator('#detail').getByText('Bank fee').first().waitFor()
  for (const one of [mia, chen]) assert.deepEqual(one.problems, [])
})

test('on a phone the list and a line stand alone', async () => {
  await mia.page.setViewportSize({ width: 390, height: 844 })
  await mia.page.goto(`${server.url}/admin/statements?tab=all`)
  await picture(mia.page, 'statements')
  await checkBothThemes(mia.page, 'the lines on a phone')
  await row(mia, 'A Stranger').getByRole('link').click()
  await mia.page.getByRole('button', { name: /^Match/ }).waitFor()
  await picture(mia.page, 'statement-line')
  await checkBothThemes(mia.page, 'a line on a phone')
})

test('two people add a bank account, and open a channel into it', async () => {
  await mia.page.setViewportSize({ width: 1440, height: 900 })
  await mia.page.goto(`${server.url}/admin/bank-accounts`)
  await mia.page.keyboard.press('n')
  const form = mia.dialog()
  await form.getByLabel('Name', { exact: true }).fill('Client EUR')
  await form.getByLabel('Bank', { exact: true }).fill('Specimen Trust')
  await form.getByLabel('Account holder').fill('Candor Example Ltd, client money')
  await form.getByLabel('Account number (IBAN)').fill('GB82 WEST 1234 5698 7654 33')
  await form.getByLabel('Currency').fill('EUR')
  await form.getByRole('button', { name: 'Save draft' }).click()
  await form.getByText('Check the number: its check digits do not match.').waitFor()
  await picture(mia.page, 'account-new')
  await checkBothThemes(mia.page, 'a new bank account')
  await form.getByLabel('Account number (IBAN)').fill('GB82 WEST 1234 5698 7654 32')
  await form.getByRole('button', { name: 'Save draft' }).click()
  await mia.page.waitForURL(/bank-accounts\/\d+/)
  const address = mia.page.url()
  await request(mia, 'The letter of the bank of 16 November')
  await picture(mia.page, 'account-asked')
  await chen.page.goto(address)
  await chen.page.getByRole('button', { name: /^Approve/ }).click()
  assert.equal(await chen.dialog().getByText('GB82').count(), 0, 'the number is hidden')
  await chen.dialog().getByLabel('Account number (IBAN)').fill('gb82west12345698765432')
  await chen.typeCode()
  await picture(chen.page, 'account-agree')
  await checkBothThemes(chen.page, 'the second person of a bank account')
  await chen.dialog().getByRole('button', { name: 'Approve change' }).click()
  await chen.page.getByText('Client EUR changed.').waitFor()

  await mia.page.goto(`${server.url}/admin/channels`)
  await picture(mia.page, 'channels')
  await checkBothThemes(mia.page, 'the channels')
  await mia.page.keyboard.press('n')
  await form.getByLabel('Name for traders').fill('Bank transfer, EUR (SEPA)')
  await form.getByLabel('Bank account').selectOption({ label: 'Client EUR, EUR, …5432' })
  await form.getByLabel('Minimum deposit').fill('50')
  await form.getByLabel('Maximum deposit').fill('25,000')
  await form.getByRole('button', { name: 'Save draft' }).click()
  await mia.page.waitForURL(/channels\/\d+/)
  const channel = mia.page.url()
  await request(mia, 'Traders of the euro area asked for it')
  await picture(mia.page, 'channel-asked')
  await checkBothThemes(mia.page, 'a requested channel')
  await chen.page.goto(channel)
  await chen.page.getByRole('button', { name: /^Approve/ }).click()
  await chen.typeCode()
  await picture(chen.page, 'channel-agree')
  await chen.dialog().getByRole('button', { name: 'Approve change' }).click()
  await chen.page.getByText('Bank transfer, EUR (SEPA) changed.').waitFor()
  const trader = await new Trader(browser, server, 'theo@trader.example').open()
  await trader.register()
  await trader.go('/deposite')
  await trader.page.getByText('Bank transfer, EUR (SEPA)').first().waitFor()
  await trader.close()

  await chen.page.getByRole('button', { name: /^Suspend/ }).click()
  await chen.dialog().getByLabel('Reason').fill('The bank has an outage.')
  await chen.dialog().getByRole('button', { name: 'Suspend' }).click()
  await chen.page.getByText('Bank transfer, EUR (SEPA) suspended.').waitFor()
  await picture(chen.page, 'channel-suspended')
  for (const one of [mia, chen]) assert.deepEqual(one.problems, [])
})

/** Requests the change that the open page's form has. */
async function request(member, reason) {
  await member.page.keyboard.press('e')
  await member.dialog().getByLabel('Reason').fill(reason)
  await member.dialog().getByRole('button', { name: 'Request approval' }).click()
  await member.page.getByText(/awaits the second approver\.$/).waitFor()
}
