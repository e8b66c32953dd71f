// P18, the renders: what React renders outside of the rows on screen while prices tick. A run of its own, because counting takes time.
import { openQuotes } from './page.mjs'
import { watchRenders } from './renders.mjs'

const SECONDS = 6
const TICKS = SECONDS * 10

export async function measureRenders(browser, bench) {
  const detail = { what: 'React renders per tick outside visible rows' }
  for (const view of ['phone', 'desktop']) {
    const name = `${view}-renders`
    const page = await openQuotes(browser, bench, { view, name, watch: watchRenders })
    bench.tick(name)
    await page.waitForTimeout(2_000)
    await page.evaluate(() => window.benchRenders.start())
    await page.waitForTimeout(SECONDS * 1_000)
    const { names, ...counts } = await page.evaluate(() => window.benchRenders.stop())
    detail[view] = counts
    console.log(
      `${view.padEnd(8)} ${TICKS} ticks: ${counts.visible} renders in rows on screen, ${counts.offScreen} in rows off screen, ${counts.elsewhere} elsewhere`,
    )
    await page.context().close()
  }
  const value = (detail.phone.offScreen + detail.desktop.offScreen) / (2 * TICKS)
  return [{ id: 'P18', value, target: 0, better: 'lower', rounds: 1, detail }]
}
