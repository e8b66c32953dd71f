// What moves while a screen loads, and what is wider than the phone. Chromium's own measure of shifts; docs/performance.md allows 0.02 on every screen.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { startServer } from './lib/server.mjs'

const MOST_SHIFT = 0.02
const SCREENS = [
  '/home/index',
  '/quotes?tab=crypto',
  '/trade?product=1',
  '/pc/trade?product=1',
  '/search',
  '/proof',
  '/login?from=%2Ftrade%3Fproduct%3D1',
  '/register',
  '/problem',
  '/aboutUs',
  '/relevant?page=risk',
]

let browser
let server

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Keeps every layout shift that no input caused, with what moved. */
function keepShifts() {
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      const moved = sources.map(({ node }) => node?.className || node?.nodeName)
      window.shifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Opens a screen in a new profile, as on a first visit, and waits until it stands still. */
async function visit(path, width) {
  const context = await browser.newContext({
    viewport: { width, height: width < 1024 ? 844 : 900 },
    hasTouch: width < 1024,
    locale: 'en-GB',
  })
  await context.addInitScript(() => localStorage.setItem('locale', 'en'))
  await context.addInitScript(keepShifts)
  const page = await context.newPage()
  await page.goto(`${server.url}/#${path}`)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  return page
}

for (const width of [390, 1440]) {
  for (const path of SCREENS.filter(
    (one) => one.startsWith(width < 1024 ? '/pc/' : '/trade') === false,
  )) {
    test(`${path} stands still at ${width}`, async () => {
      const page = await visit(path, width)
      const shifts = await page.evaluate(() => window.shifts)
      const sum = shifts.reduce((all, { value }) => all + value, 0)
      assert.ok(sum <= MOST_SHIFT, `${sum.toFixed(4)}: ${JSON.stringify(shifts)}`)
      await page.context().close()
    })
  }
}

test('a block that comes late is a shift', async () => {
  const page = await visit('/home/index', 390)
  await page.evaluate(() => {
    const late = document.createElement('div')
    late.style.blockSize = '200px'
    document.querySelector('main').prepend(late)
  })
  await page.waitForFunction(
    (most) => window.shifts.reduce((all, { value }) => all + value, 0) > most,
    MOST_SHIFT,
  )
  await page.context().close()
})

for (const width of [320, 360]) {
  test(`nothing is wider than a phone of ${width} px`, async () => {
    for (const path of SCREENS.filter((one) => !one.startsWith('/pc/'))) {
      const page = await visit(path, width)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.equal(wide, width, path)
      await page.context().close()
    }
  })
}

test('a phone of 360 px shows both prices of a quote', async () => {
  const page = await visit('/quotes?tab=crypto', 360)
  const row = page.getByRole('listitem').filter({ hasText: 'BTCUSD' })
  for (const column of ['Bid', 'Ask']) {
    const { x, width } = await row.getByText(column, { exact: true }).locator('..').boundingBox()
    assert.ok(x >= 0 && x + width <= 360, `${column} ends at ${x + width}`)
  }
  await page.context().close()
})
