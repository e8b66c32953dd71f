// Captures every screen of the trader app and the back office, at 390 and 1440 px or the WIDTHS, light and dark, into shots/. LANG_CODE chooses the language
// of the trader app; arguments choose screens by name, "desk" all of the back office.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from './lib/chromium.mjs'
import { buildTools } from './lib/prepare.mjs'
import { openDeskPage, openScreen, screens, setScene } from './lib/scene.mjs'
import { root } from './lib/server.mjs'

const locale = process.env.LANG_CODE ?? 'en'
const out = join(root, 'shots')
const widths = (process.env.WIDTHS ?? '390,1440').split(',').map(Number)
const words = process.argv.slice(2)
const wanted = ([name]) => words.length === 0 || words.includes(name)
const onDesk = ([name]) => wanted([`desk-${name}`]) || words.includes('desk')

mkdirSync(out, { recursive: true })
const tools = buildTools()
const browser = await launch()
const scene = await setScene(browser)
try {
  for (const width of widths) {
    for (const theme of ['light', 'dark']) {
      const shoot = (page, name) =>
        page.screenshot({ path: join(out, `${name}-${locale}-${width}-${theme}.png`) })
      for (const screen of screens.filter(wanted)) {
        const [name, , , only] = screen
        // The scenes of one width stand for phones or for desktops.
        if (only && only < 1024 !== width < 1024) continue
        const page = await openScreen(browser, scene, screen, { width, theme, locale })
        await shoot(page, name)
        await page.context().close()
      }
      for (const entry of scene.desk.filter(onDesk)) {
        const [name, member] = entry
        await member.page.setViewportSize({ width, height: width < 1024 ? 844 : 900 })
        await shoot(await openDeskPage(entry, theme), `desk-${name}`)
      }
    }
  }
  console.log(`pictures are in ${out}`)
} finally {
  await browser.close()
  await scene.close()
  rmSync(tools, { recursive: true, force: true })
}
