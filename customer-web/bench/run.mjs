// `make bench-web`: how large the app is (P17) and how smooth its page of quotes stays (P18). Prints a JSON line a target and ends with 0 whatever it measured.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../e2e/lib/chromium.mjs'
import { budgets } from '../scripts/report-size.mjs'
import { measureFrames } from './measure-frames.mjs'
import { measureRenders } from './measure-renders.mjs'

const print = (target) => console.log(JSON.stringify(target))
const sizes = budgets()

const server = fork(join(import.meta.dirname, 'server.mjs'))
const port = await new Promise((done) => server.once('message', done))
const bench = { url: `http://127.0.0.1:${port}`, tick: (name) => server.send(name) }
// Prices light up as they do for most people: nothing here asks for less motion.
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
try {
  const targets = [
    ...(await measureFrames(browser, bench)),
    ...(await measureRenders(browser, bench)),
  ]
  for (const target of [...sizes, ...targets]) print(target)
} catch (failure) {
  console.error(failure)
  for (const target of sizes) print(target)
} finally {
  await browser.close()
  server.disconnect()
}
