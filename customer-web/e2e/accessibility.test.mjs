// axe on every page of both doors: nothing serious, in light and dark, on a phone and a desktop, and in a language written from right to left.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { Member } from './lib/desk.mjs'
import { writeRecording } from './lib/recording.mjs'
import { startServer } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const looks = [
  { width: 1440, theme: 'dark', locale: 'en' },
  { width: 390, theme: 'light', locale: 'en' },
  { width: 390, theme: 'dark', locale: 'ar' },
]
const guestPaths = [
  '/home/index',
  '/quotes?tab=forex',
  '/search',
  '/editFav',
  '/lang',
  '/preferenceSet',
  '/login',
  '/register',
  '/webview/chart?product=101&period=1m',
]
const traderPaths = [
  '/home/index',
  '/order',
  '/historyOrders',
  '/deposite',
  '/mywallet',
  '/myCenter',
  '/switchAccount',
]
const deskPaths = ['', '/staff', '/audit', '/outbox', '/products']

let browser
let server
let scratch
let session

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'candor-recording-'))
  browser = await launch()
  server = await startServer({
    env: {
      CANDOR_FEED: `replay:${writeRecording(scratch)}`,
      CANDOR_FEED_SPEED: '20',
      CANDOR_FEED_START: '20m',
    },
  })
  const trader = await new Trader(browser, server, 'ana@trader.example').open()
  await trader.register()
  await trader.switchAccount()
  await trader.terminal(101)
  await trader.order('Buy', '0.10')
  session = await trader.page.evaluate(() => ({ ...localStorage }))
  await trader.close()
})

after(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

async function check(page, where) {
  await page.evaluate(axe)
  const violations = await page.evaluate(async () => {
    const result = await window.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return result.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(({ html }) => html.slice(0, 160))
            .join(' | ')}`,
      )
  })
  assert.deepEqual(violations, [], where)
}

for (const look of looks) {
  const { width, theme, locale } = look
  test(`the trader app, ${width} px, ${theme}, ${locale}`, async () => {
    const trade = width < 1024 ? '/trade?product=101' : '/pc/trade?product=101'
    for (const [paths, kept] of [
      [guestPaths, {}],
      [[...traderPaths, trade], session],
    ]) {
      const context = await browser.newContext({
        viewport: { width, height: width < 1024 ? 844 : 900 },
      })
      await context.addInitScript(
        (entries) => {
          for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
        },
        { ...kept, themeMode: theme, locale },
      )
      const page = await context.newPage()
      for (const path of paths) {
        await page.goto(`${server.url}/#${path}`)
        await page.reload()
        await page.waitForTimeout(1_500)
        await check(page, `${path} ${JSON.stringify(look)}`)
      }
      await context.close()
    }
  })
}

test('the back office', async () => {
  const ada = await new Member(browser, server, 'Ada Adams', 'ada@desk.example').open()
  await ada.page.goto(`${server.url}/admin/signin`)
  await check(ada.page, 'sign-in')
  await ada.enrol(server.firstLink)
  for (const theme of ['light', 'dark']) {
    await ada.context.addCookies([{ name: 'desk_theme', value: theme, url: server.url }])
    for (const path of deskPaths) {
      await ada.page.goto(`${server.url}/admin${path}`)
      await ada.page.waitForTimeout(300)
      await check(ada.page, `/admin${path} ${theme}`)
    }
  }
})
