// Runs axe on every page of the trader app and the back office, on a phone and on a desktop, on the colours of both themes, and on some pages in a
// right-to-left language. No serious violation may occur.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check, checkBothThemes, switchTheme } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { Member } from './lib/desk.mjs'
import {
  followTo,
  openDeskPage,
  openScreen,
  resizeScreen,
  screens,
  setScene,
} from './lib/scene.mjs'

/** The number of screens open at once: one loads while another is checked. */
const OPEN_AT_ONCE = 2

/** A page of each kind: lists, tables, forms, a chart, a sheet. All pages share the styles that set the direction. */
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

/** The route of a screen. */
const route = ([, path]) => path.split('?')[0]

/** A screen with nothing but a name, a path and a viewer: nobody presses anything on it, and no answer is made up for it. */
const plain = (screen) => screen.length === 3

/** Whether the page that shows one screen can go on to another. */
const follows = (screen, before) =>
  plain(screen) && plain(before) && screen[2] === before[2] && route(screen) !== route(before)

/** Opens screens in a look, a few side by side, and judges each. */
async function visit(wanted, look, judge) {
  const waiting = wanted.toSorted((a, b) => a[2].localeCompare(b[2]))
  const one = async () => {
    let page
    let before
    for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
      if (before && follows(screen, before)) {
        await followTo(page, screen, look)
      } else {
        await page?.context().close()
        page = await openScreen(browser, scene, screen, look)
      }
      await judge(page, `${screen[0]}, ${look.width} px, ${look.theme}`)
      before = screen
    }
    await page?.context().close()
  }
  await Promise.all(Array.from({ length: OPEN_AT_ONCE }, one))
}

const DESKTOP = { width: 1440, theme: 'dark', locale: 'en' }
const PHONE = { width: 390, theme: 'light', locale: 'en' }

/**
 * Checks a page at both widths, each in another theme: a colour rarely depends on the width, and what only one width has, such as its navigation, is on the
 * pages that are checked in both themes there.
 */
async function checkBothWidths(page, where, resize) {
  await check(page, where)
  const theme = await switchTheme(page)
  await resize()
  await check(page, `${where}, then ${PHONE.width} px, ${theme}`)
}

/** A screen that neither has a width of its own nor an open dialog, which the other width would open anew. */
const resizes = ([, , , only, presses = []]) => !only && presses.length === 0

test('the trader app, 1440 px and 390 px in one load', () =>
  visit(screens.filter(resizes), DESKTOP, (page, where) =>
    checkBothWidths(page, where, () => resizeScreen(page, PHONE.width)),
  ))

for (const look of [DESKTOP, PHONE]) {
  test(`the trader app, dialogs and screens of ${look.width} px alone`, () =>
    visit(
      screens.filter((screen) => !resizes(screen) && (screen[3] ?? look.width) === look.width),
      look,
      checkBothThemes,
    ))
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
        // Only the styles of these pages depend on the width.
        await checkBothWidths(page, `${entry[0]}, 1440 px`, () =>
          page.setViewportSize({ width: PHONE.width, height: 844 }),
        )
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
