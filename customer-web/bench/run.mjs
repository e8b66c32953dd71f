// `make bench-web`: how soon a first price shows (P22), and how smooth the page of quotes stays (P18). Prints a JSON line a target and ends with 0 whatever it measured.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../e2e/lib/chromium.mjs'
import { measureColdStart } from './measure-cold-start.mjs'
import { measureFrames } from './measure-frames.mjs'
import { measureRenders } from './measure-renders.mjs'

const print = (target) => console.log(JSON.stringify(target))

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
    ...(await measureColdStart(browser)),
    ...(await measureFrames(browser, bench)),
    ...(await measureRenders(browser, bench)),
  ]
  for (const target of targets) print(target)
} catch (failure) {
  console.error(failure)
} finally {
  await browser.close()
  server.disconnect()
}
