// A screenshot of every screen of both doors, at 390 and 1440 px, light and dark, into shots/. LANG_CODE chooses the language.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from './lib/chromium.mjs'
import { Member } from './lib/desk.mjs'
import { writeRecording } from './lib/recording.mjs'
import { root, startServer } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

const language = process.env.LANG_CODE ?? 'en'
const out = join(root, 'shots')
const EURUSD = 1
const XAUUSD = 101

/** Screens of the trader app; the last word tells who sees it. */
const screens = [
  ['home', '/home/index'],
  ['quotes', '/quotes?tab=forex'],
  ['search', '/search'],
  ['editFav', '/editFav'],
  ['lang', '/lang'],
  ['preferenceSet', '/preferenceSet'],
  ['chart', `/webview/chart?product=${XAUUSD}&period=1m`],
  ['login', '/login', 'guest'],
  ['register', '/register', 'guest'],
  ['trade', `/trade?product=${XAUUSD}`, 'trader', 390],
  ['pc-trade', `/pc/trade?product=${XAUUSD}`, 'trader', 1440],
  ['order', '/order'],
  ['historyOrders', '/historyOrders'],
  ['deposite', '/deposite'],
  ['mywallet', '/mywallet'],
  ['myCenter', '/myCenter'],
  ['switchAccount', '/switchAccount'],
]
const deskPages = [
  ['home', ''],
  ['staff', '/staff'],
  ['audit', '/audit'],
  ['outbox', '/outbox'],
  ['products', '/products'],
]

mkdirSync(out, { recursive: true })
const server = await startServer({
  env: {
    CANDOR_FEED: `replay:${writeRecording(mkdtempSync(join(tmpdir(), 'candor-shots-')))}`,
    CANDOR_FEED_SPEED: '20',
    CANDOR_FEED_START: '30m',
  },
})
const browser = await launch()
try {
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  await trader.switchAccount()
  await trader.terminal(EURUSD)
  await trader.order('Buy', '0.20')
  await trader.terminal(XAUUSD)
  await trader.order('Buy', '0.30')
  const session = await trader.page.evaluate(() => ({ ...localStorage }))
  for (const width of [390, 1440]) {
    for (const theme of ['light', 'dark']) {
      for (const [name, path, who, only] of screens) {
        if (only && only !== width) continue
        const kept = { ...(who === 'guest' ? {} : session), themeMode: theme, locale: language }
        await shoot(`${name}-${width}-${theme}`, { width, url: `${server.url}/#${path}`, kept })
      }
    }
  }
  const ada = await new Member(browser, server, 'Ada Adams', 'ada@desk.example').open()
  await ada.enrol(server.firstLink)
  for (const width of [390, 1440]) {
    for (const theme of ['light', 'dark']) {
      await ada.page.setViewportSize({ width, height: width < 800 ? 844 : 900 })
      await ada.context.addCookies([{ name: 'desk_theme', value: theme, url: server.url }])
      for (const [name, path] of deskPages) {
        await ada.page.goto(`${server.url}/admin${path}`)
        await ada.page.waitForTimeout(400)
        await ada.page.screenshot({ path: join(out, `desk-${name}-${width}-${theme}.png`) })
      }
    }
  }
  console.log(`pictures are in ${out}`)
} finally {
  await browser.close()
  await server.stop()
}

async function shoot(name, { width, url, kept }) {
  const context = await browser.newContext({ viewport: { width, height: width < 800 ? 844 : 900 } })
  await context.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, kept)
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForTimeout(2_500)
  await page.screenshot({ path: join(out, `${name}.png`) })
  await context.close()
}
