// axe on every page of both doors, on a phone and on a desktop, its colours in both themes, and some pages in a language written from right to left.
// Nothing serious.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { Member } from './lib/desk.mjs'
import { openDeskPage, openScreen, screens, setScene } from './lib/scene.mjs'

/** How many screens are open at a time: while one loads, another is looked at. */
const OPEN_AT_ONCE = 2

/** A page of each kind: lists, tables, forms, a chart, a sheet. Their directions come from the same styles as everybody's. */
const mirrored = [
  'home-signed-in',
  'quotes',
  'chart-signed-in',
  'trade',
  'ticket-oco',
  'order',
  'close',
  'pending',
  'historyOrders',
  'proof',
  'problem',
  'deposite',
  'withdraw',
  'addAddress',
  'authenticate-data',
  'failed',
  'myCenter',
]

let browser
let scene

before(async () => {
  browser = await launch()
  scene = await setScene(browser)
})

after(async () => {
  await browser?.close()
  await scene?.close()
})

/** Looks at screens in a look, some of them side by side. */
async function visit(wanted, look, judge) {
  const waiting = wanted.filter(([, , , only]) => !only || only === look.width)
  const one = async () => {
    for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
      const page = await openScreen(browser, scene, screen, look)
      await judge(page, `${screen[0]}, ${look.width} px, ${look.theme}`)
      await page.context().close()
    }
  }
  await Promise.all(Array.from({ length: OPEN_AT_ONCE }, one))
}

for (const [width, theme] of [
  [1440, 'dark'],
  [390, 'light'],
]) {
  test(`the trader app, ${width} px`, () =>
    visit(screens, { width, theme, locale: 'en' }, checkBothThemes))
}

test('the trader app from right to left', async () => {
  const wanted = screens.filter(([name]) => mirrored.includes(name))
  assert.equal(wanted.length, mirrored.length)
  await visit(wanted, { width: 390, theme: 'dark', locale: 'ar' }, check)
})

test('the back office', async () => {
  const members = new Set(scene.desk.map(([, member]) => member))
  await Promise.all(
    [...members].map(async (member) => {
      for (const entry of scene.desk.filter(([, who]) => who === member)) {
        await member.page.setViewportSize({ width: 1440, height: 900 })
        const page = await openDeskPage(entry, 'light')
        await checkBothThemes(page, `${entry[0]}, 1440 px`)
        // It is dark now; what stands where is the styles' affair alone.
        await page.setViewportSize({ width: 390, height: 844 })
        await checkBothThemes(page, `${entry[0]}, 390 px`)
      }
    }),
  )
})

test('the back office before anybody has signed in', async () => {
  const nobody = await new Member(browser, scene.server, 'Nobody', 'nobody@desk.example').open()
  for (const path of ['/admin/signin', '/admin/first/AAAAAAAAAAAAAAAAAAAAAAAAAA']) {
    await nobody.page.goto(scene.server.url + path)
    await checkBothThemes(nobody.page, path)
  }
  await nobody.context.close()
})

test('a text that nobody can read in the other theme is found', async () => {
  const page = await browser.newPage()
  const show = (colour) =>
    page.setContent(
      `<!doctype html><html lang="en" data-theme="dark"><title>Colours</title><style>
        [data-theme="dark"] { background: black; color: white }
        [data-theme="light"] { background: white; color: ${colour} }
      </style><main><h1>Words</h1></main></html>`,
    )
  await show('black')
  await checkBothThemes(page, 'readable')
  await show('#ddd')
  await check(page, 'in the theme that it has')
  await assert.rejects(checkBothThemes(page, 'grey on white'), /color-contrast/)
  await page.close()
})
