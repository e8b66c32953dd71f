// An auditor narrows the audit log, reads an entry beside it, and takes it as a file; an administrator finds a message in the outbox.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { inChinese, picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

let browser
let server
let abe
let ada

before(async () => {
  browser = await launch()
  server = await startServer()
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  await trader.deposit('1500')
  await trader.close()
  abe = await comeToDesk(browser, server, 'abe')
  ada = await comeToDesk(browser, server, 'ada')
  for (const one of [abe, ada]) await one.page.setViewportSize({ width: 1440, height: 900 })
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const rows = (page) => page.locator('#list [data-row]')

/** Captures a page at the width of a desk, of a tablet and of a phone. */
async function pictures(page, name) {
  for (const [width, height] of [
    [1024, 768],
    [390, 844],
    [1440, 900],
  ]) {
    await page.setViewportSize({ width, height })
    await picture(page, name)
  }
}

test('the log is narrowed, and an entry opens beside it', async () => {
  const { page } = abe
  await page.goto(`${server.url}/admin/audit`)
  await page.getByText(/^(Sealed up to batch|Nothing sealed yet)/).waitFor()
  await pictures(page, 'audit')
  await inChinese(page, 'audit')
  await page.keyboard.press('f')
  await abe.dialog().getByLabel('Area').selectOption('deposit')
  await abe.dialog().getByLabel('Record type').selectOption('deposit')
  await pictures(page, 'audit-filter')
  await abe.dialog().getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/area=deposit/)
  const all = await rows(page).count()
  assert.ok(all > 0)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Chain/ }).waitFor()
  await page.waitForURL(/\/admin\/audit\/\d+\?.*area=deposit/)
  assert.equal(await rows(page).count(), all, 'the list stays')
  await pictures(page, 'audit-entry')
  await checkBothThemes(page, 'an entry of the log')
  await page.reload()
  assert.equal(await page.locator('#list tr.sel').count(), 1, 'an address opens the entry too')
  await page.getByRole('link', { name: 'View all' }).click()
  await page.waitForURL(/kind=deposit&target=\d+$/)
  await page.getByText('Record number').waitFor()
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  assert.match((await file).suggestedFilename(), /^audit-.*\.csv$/)
})

test('a phone shows the log and the entry one after the other', async () => {
  const { page } = abe
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/admin/audit?area=deposit`)
  await rows(page).first().getByRole('link').click()
  await page.getByRole('heading', { name: /^Entry \d+$/ }).waitFor()
  await rows(page).first().waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Back' }).click()
  await rows(page).first().waitFor()
})

test('a message is found by its recipient, and shown to who says why', async () => {
  const { page } = ada
  await page.goto(`${server.url}/admin/outbox`)
  await pictures(page, 'outbox')
  await inChinese(page, 'outbox')
  await checkBothThemes(page, 'the outbox')
  await page.getByRole('searchbox', { name: 'Recipient starts with' }).fill('tess@')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=tess/)
  const found = page.getByRole('row', { name: /tess@trader\.example/ })
  await found.first().getByRole('button', { name: 'Show' }).click()
  await ada.dialog().getByLabel('Reason').fill('The person is on the phone.')
  await pictures(page, 'outbox-reveal')
  await ada.dialog().getByRole('button', { name: 'Show for 30 seconds' }).click()
  await page.getByText('Hidden in').waitFor()
})
