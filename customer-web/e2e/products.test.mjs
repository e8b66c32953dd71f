// Staff find a product in the list with live prices, and two people change its terms, typed in the units in which they are read.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'

let browser
let server
let admin
let approver

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Checks a page or dialog at every width of the back office. */
async function look(page, name) {
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.waitForTimeout(300)
    await check(page, `${name} at ${width}`)
    await picture(page, name)
  }
}

test('a product is found, and its prices move by themselves', async () => {
  admin = await comeToDesk(browser, server, 'carl')
  approver = await comeToDesk(browser, server, 'ann')
  const { page } = admin
  await page.goto(`${server.url}/admin/products`)
  await look(page, 'desk-products')
  const bitcoin = page.getByRole('row', { name: /BTCUSD/ })
  const price = await bitcoin.getByRole('cell').nth(2).innerText()
  await waitFor(async () => (await bitcoin.getByRole('cell').nth(2).innerText()) !== price)
  await page.getByRole('button', { name: 'Filters' }).click()
  await admin.dialog().getByLabel('Class').selectOption({ label: 'Forex' })
  await admin.dialog().getByLabel('Sort by').selectOption({ label: 'Symbol' })
  await admin.dialog().getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/class=forex/)
  await page.waitForTimeout(2500)
  const rows = page.locator('tbody tr')
  assert.match(
    await rows.first().innerText(),
    /^AUDJPY/,
    'the rows that were read again are sorted',
  )
  assert.equal(await page.getByRole('row', { name: /BTCUSD/ }).count(), 0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  assert.match(readFileSync(await file.path(), 'utf8'), /^.*hedged_margin_percent.*\r?\nAUDJPY/)
})

test('terms are typed in their units, and the second person reads the same', async () => {
  const { page } = admin
  const dialog = admin.dialog()
  await page.goto(`${server.url}/admin/products/1`)
  await page.getByRole('button', { name: 'Change terms' }).click()
  await look(page, 'desk-product-terms')
  await dialog.getByLabel('Hedged margin').fill('5000 bp')
  await dialog.getByLabel('Minimum commission').fill('1,250.5')
  await dialog.getByLabel('Max quote age').fill('7.5')
  await dialog.getByLabel('Highest leverage, tier 2').fill('250')
  await dialog.getByText('0.4%', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Remove tier 3' }).click()
  await dialog.getByLabel('Highest leverage, tier 3').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Add a leverage' }).click()
  await dialog.getByLabel('Leverage 6', { exact: true }).fill('25')
  await dialog.getByLabel('Reason').fill('The risk desk asked for it.')
  await dialog.getByRole('button', { name: 'Review change' }).click()
  await dialog.getByText('From 0 to 100%, with at most 2 decimals.').waitFor()
  await check(page, 'a percentage that is none')
  await picture(page, 'desk-product-terms-refused')
  assert.equal(await dialog.getByLabel('Minimum commission').inputValue(), '1,250.5')
  await dialog.getByLabel('Hedged margin').fill('12.5')
  await dialog.getByRole('button', { name: 'Review change' }).click()
  const difference = [
    '12.5%',
    '1,250.50 USDT per fill',
    '7.5 s',
    'up to 20 lots 1:500, beyond 1:250',
    '1:100 by default, 1:50, 1:200, 1:20, 1:500, 1:25',
  ]
  for (const words of difference) await dialog.getByText(words, { exact: true }).waitFor()
  await look(page, 'desk-product-review')
  await dialog.getByRole('button', { name: 'Request change' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await approver.page.goto(`${server.url}/admin/products?tab=changing`)
  await approver.page.getByRole('link', { name: 'EURUSD' }).click()
  await approver.page.getByRole('button', { name: 'Approve…' }).click()
  for (const words of difference)
    await approver.dialog().getByText(words, { exact: true }).waitFor()
  await approver.dialog().getByRole('button', { name: 'Approve', exact: true }).click()
  await approver.dialog().waitFor({ state: 'hidden' })
  await approver.page.getByText('Comes next: version 2').waitFor()
  for (const one of [admin, approver]) assert.deepEqual(one.problems, [])
})
