// What one member of staff does, a colleague sees at a second desk without loading anew, and a desk that hears nothing says since when.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

/** How long a change may take to the other desk, in ms. */
const SOON = { timeout: 2_000 }

let browser
let server
let trader
let mia
let chen
let number

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const row = (member) => member.page.locator('article', { hasText: number })

test('two people look at the deposits, and a new one waits behind a button', async () => {
  mia = await comeToDesk(browser, server, 'mia')
  chen = await comeToDesk(browser, server, 'chen')
  trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  await chen.page.goto(`${server.url}/admin/deposits`)
  await chen.page.getByText('No deposits are waiting.').waitFor()
  const count = chen.page.locator('#count-deposits')
  assert.equal(await count.innerText(), '')
  number = await trader.deposit('1500')
  await count.getByText('1', { exact: true }).waitFor(SOON)
  const changed = chen.page.getByRole('button', { name: 'The list has changed. Show it' })
  await changed.waitFor(SOON)
  await picture(chen.page, 'list-changed')
  await changed.click()
  await row(chen).waitFor()
})

test('a claim shows at the other desk, in the list and in the open case', async () => {
  await row(chen).getByRole('link').click()
  await chen.page.getByText('Announced by trader').waitFor()
  await mia.page.goto(`${server.url}/admin/deposits`)
  await row(mia).getByRole('button', { name: 'Claim' }).click()
  await row(mia).getByText('Claimed by you').waitFor()
  await row(chen).getByText('Claimed by Mia Maker').waitFor(SOON)
  await chen.page.locator('#detail').getByText('Claimed by Mia Maker').waitFor(SOON)
})

test('a key works while the page is asking for what changed', async () => {
  const { page } = chen
  let release
  const held = new Promise((done) => {
    release = done
  })
  await page.route('**/admin/live*', async (route) => {
    await held
    await route.continue()
  })
  const asking = page.waitForRequest('**/admin/live*')
  await row(mia).getByRole('link').click()
  await mia.page.getByRole('button', { name: /^Release/ }).click()
  await asking
  await page.keyboard.press('f')
  await page.getByRole('dialog', { name: 'Filters' }).waitFor(SOON)
  release()
  await page.keyboard.press('Escape')
  await page.unroute('**/admin/live*')
})

test('a desk that no longer hears anything says since when, and catches up', async () => {
  const { port, dataDir } = server
  await server.stop({ keep: true })
  await chen.page.getByText(/^As of .*Reconnecting…$/).waitFor({ timeout: 20_000 })
  await picture(chen.page, 'late')
  server = await startServer({ port, dataDir })
  await chen.page.getByText(/^As of/).waitFor({ state: 'hidden', timeout: 60_000 })
  await chen.page.getByRole('button', { name: 'The list has changed. Show it' }).waitFor()
  for (const one of [mia, chen]) assert.deepEqual(one.problems, [])
})
