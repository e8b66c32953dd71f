// Starts a browser and a server that replays the generated recording, for journeys through one market day.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from './chromium.mjs'
import { writeRecording } from './recording.mjs'
import { startServer } from './server.mjs'
import { Trader } from './trader.mjs'

/** Starts both; the result runs journeys of traders on demo accounts, and stops everything. */
export async function startReplayed() {
  const scratch = mkdtempSync(join(tmpdir(), 'candor-recording-'))
  const browser = await launch()
  const server = await startServer({
    env: {
      CANDOR_FEED: `replay:${writeRecording(scratch)}`,
      CANDOR_FEED_SPEED: '20',
      CANDOR_FEED_START: '20m',
    },
  })
  return {
    server,
    /** Runs a journey of a new trader with a demo account; a failure saves a screenshot. */
    async journey(name, width, run) {
      const trader = await new Trader(
        browser,
        server,
        `${name}${width}@trader.example`,
        width,
      ).open()
      try {
        await trader.register()
        await trader.switchAccount()
        await run(trader)
        if (trader.problems.length > 0) throw new Error(trader.problems.join('\n'))
      } catch (error) {
        const path = join(tmpdir(), `candor-${name}-${width}.png`)
        await trader.page.screenshot({ path }).catch(() => {})
        throw error
      }
      await trader.close()
    },
    async stop() {
      await browser.close()
      await server.stop()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
