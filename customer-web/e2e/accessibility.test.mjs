// axe on every page of both doors: nothing serious, in light and dark, on a phone and a desktop, and in a language written from right to left.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { Member } from './lib/desk.mjs'
import { openDeskPage, openScreen, screens, setScene } from './lib/scene.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const looks = [
  { width: 1440, theme: 'dark', locale: 'en' },
  { width: 390, theme: 'light', locale: 'en' },
  { width: 390, theme: 'dark', locale: 'ar' },
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
  test(`the trader app, ${look.width} px, ${look.theme}, ${look.locale}`, async () => {
    for (const screen of screens) {
      const [name, , , only] = screen
      if (only && only !== look.width) continue
      const page = await openScreen(browser, scene, screen, look)
      await check(page, name)
      await page.context().close()
    }
  })
}

for (const theme of ['light', 'dark']) {
  test(`the back office, ${theme}`, async () => {
    for (const width of [1440, 390]) {
      for (const entry of scene.desk) {
        const [name, member] = entry
        await member.page.setViewportSize({ width, height: width < 1024 ? 844 : 900 })
        await check(await openDeskPage(entry, theme), `${name}, ${width} px`)
      }
    }
  })
}

test('the back office before anybody has signed in', async () => {
  const nobody = await new Member(browser, scene.server, 'Nobody', 'nobody@desk.example').open()
  for (const path of ['/admin/signin', '/admin/first/AAAAAAAAAAAAAAAAAAAAAAAAAA']) {
    await nobody.page.goto(scene.server.url + path)
    await check(nobody.page, path)
  }
  await nobody.context.close()
})
