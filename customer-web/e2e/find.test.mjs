// A member of staff finds anything from the box of every page: a trader by name, a deposit by its payment reference, several things of one number, all without
// a mouse.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { submitApplications } from './lib/applicants.mjs'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

/** How many results the page shows of a kind. */
const SHOWN = 8
const APPLICANTS = SHOWN + 1

let browser
let server
let mia
let number

before(async () => {
  browser = await launch()
  server = await startServer()
  await submitApplications(server, APPLICANTS)
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  number = await trader.deposit('1500')
  await trader.close()
  mia = await comeToDesk(browser, server, 'mia')
  await mia.page.setViewportSize({ width: 1440, height: 900 })
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Types into the box of the start page by its keys. */
async function find(words) {
  const { page } = mia
  await page.goto(`${server.url}/admin`)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}

const results = () => mia.page.getByRole('main').locator('[data-row] a')
const focused = () => mia.page.evaluate(() => document.activeElement?.getAttribute('href'))

test('a payment reference opens its deposit', async () => {
  const { page } = mia
  await page.goto(`${server.url}/admin/deposits/${number.replace('DP-', '')}`)
  const reference = await page
    .getByText(/^CD-[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    .first()
    .innerText()
  await find(reference.toLowerCase())
  await page.waitForURL(/\/admin\/deposits\/\d+$/)
  await find(number)
  await page.waitForURL(/\/admin\/deposits\/\d+$/)
})

test('a name lists the traders who entered it, and the arrows walk over them', async () => {
  const { page } = mia
  await find('muster erika')
  await page.waitForURL(/\/admin\/find\?q=muster/)
  await results().first().waitFor()
  assert.equal(await results().count(), SHOWN)
  await page.getByText('Entered this name, not verified').first().waitFor()
  assert.equal(await page.getByText('@trader.example').filter({ hasText: 'erika' }).count(), 0)
  const [first, second] = await results().evaluateAll((all) =>
    all.map((a) => a.getAttribute('href')),
  )
  await page.getByRole('main').getByRole('searchbox').focus()
  await page.keyboard.press('ArrowDown')
  assert.equal(await focused(), first)
  await page.keyboard.press('ArrowDown')
  assert.equal(await focused(), second)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  assert.equal(
    await page
      .getByRole('main')
      .getByRole('searchbox')
      .evaluate((e) => e === document.activeElement),
    true,
  )
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === second)
})

test('the results and what can be searched look right at every width', async () => {
  const { page } = mia
  for (const [name, words] of [
    ['find', 'Erika Muster'],
    ['find-nothing', 'Nobody Nowhere'],
  ]) {
    await page.goto(`${server.url}/admin/find?q=${encodeURIComponent(words)}`)
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await picture(page, name)
    }
    await checkBothThemes(page, name)
  }
  await page.goto(`${server.url}/admin/find?q=Erika+Muster`)
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.waitForURL(/\/admin\/traders\?q=Erika/)
  await page.getByRole('button', { name: /中文/ }).click()
  await page.goto(`${server.url}/admin/find?q=Erika+Muster`)
  await picture(page, 'find-zh')
  await page.goto(`${server.url}/admin/find?q=Nobody+Nowhere`)
  await picture(page, 'find-nothing-zh')
  assert.deepEqual(mia.problems, [])
})
