// A finance lead reads the deposits by day, takes them along as a file and by mail; an agent may not read the house's result.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

let browser
let server
let lea
let number

before(async () => {
  browser = await launch()
  server = await startServer()
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  number = await trader.deposit('1500')
  await trader.close()
  const mia = await comeToDesk(browser, server, 'mia')
  const chen = await comeToDesk(browser, server, 'chen')
  mia.checker = chen
  await mia.approveDeposit(number, '1500', 'BANK-REF-1001')
  lea = await comeToDesk(browser, server, 'lea')
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('the deposits of a span are a picture and a table', async () => {
  const { page } = lea
  await page.goto(`${server.url}/admin`)
  await page.getByRole('link', { name: 'Reports' }).click()
  await picture(page, 'reports')
  await page.getByRole('link', { name: /^Deposits by day and channel/ }).click()
  await page.getByText('Credited: 1,500.00 USD in all.').waitFor()
  // The library gives a canvas that it draws on the size of its box.
  await page.locator('.chart canvas[width]').waitFor()
  await picture(page, 'report-deposits')
  await checkBothThemes(page, 'a report')
  await page.getByRole('link', { name: '7 days' }).click()
  await page.getByText('Credited: 1,500.00 USD in all.').waitFor()
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To, inclusive').fill('2020-01-31')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('cell', { name: 'Nothing in these days.' }).waitFor()
  await page.getByLabel('From').fill('2010-01-01')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Choose a period of 1 to 366 days.').waitFor()
  await page.getByRole('link', { name: '7 days' }).click()
})

test('it is a file', async () => {
  const { page } = lea
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ])
  const text = readFileSync(await file.path(), 'utf8')
  assert.match(text, /^day,channel,currency,deposits,credited,fees,reversed\r\n/)
  assert.match(text, /,USD,1,1500\.000000,/)
})

test('it comes by mail until it is stopped', async () => {
  const { page } = lea
  await page.getByRole('button', { name: 'Get by email…' }).click()
  await picture(page, 'report-subscribe')
  await checkBothThemes(page, 'the dialog of a subscription')
  await lea.dialog().getByLabel('At').selectOption('7')
  await lea.dialog().getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('button', { name: 'By email daily at 07:00' }).click()
  await lea.dialog().getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('button', { name: 'Get by email…' }).waitFor()
  assert.deepEqual(lea.problems, [])
})

test('an agent may not read the result of the house', async () => {
  const lee = await comeToDesk(browser, server, 'lee')
  await lee.page.goto(`${server.url}/admin/reports`)
  await lee.page
    .getByRole('link', { name: /^Service times/ })
    .first()
    .waitFor()
  assert.equal(await lee.page.getByText('House result').count(), 0)
  const answer = await lee.page.goto(`${server.url}/admin/reports/house-result`)
  assert.equal(answer.status(), 403)
})
