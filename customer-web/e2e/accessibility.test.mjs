// axe on every page of both doors: nothing serious, in light and dark, on a phone and a desktop, and in a language written from right to left.
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { Member } from './lib/desk.mjs'
import { openDeskPage, openScreen, screens, setScene } from './lib/scene.mjs'

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
