// Runs the browser journeys with node's own test runner, one process per file, and prints how long each file took. Each file has its own server, browser and
// data folder, so two run at a time; journeys in which a replayed market moves run one at a time.
import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findShell } from './lib/chromium.mjs'
import { prepare, removeLeftovers } from './lib/server.mjs'

process.env.CHROMIUM = findShell()
removeLeftovers()
const folder = import.meta.dirname
const wanted = process.argv.slice(2)
const files = readdirSync(folder).filter(
  (name) =>
    name.endsWith('.test.mjs') &&
    (wanted.length === 0 || wanted.some((word) => name.includes(word))),
)
const replayed = /^(guest|journey|orders|positions|proof|ticket)\./
/** The longest first, so that none is left alone at the end. */
const longest = ['accessibility', 'identity', 'support-talk', 'money-out', 'addresses']
const rank = (name) => {
  const at = longest.findIndex((word) => name.startsWith(word))
  return at < 0 ? longest.length : at
}

/** Runs one file and prints its output when it ends; the result is whether it passed. */
function run(file) {
  const began = Date.now()
  const child = spawn(process.execPath, ['--test', '--test-timeout=1800000', join(folder, file)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => output.push(part))
  return new Promise((done) =>
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output))
      const seconds = Math.round((Date.now() - began) / 1000)
      const line = `${seconds}\te2e ${basename(file, '.test.mjs')}\n`
      process.stdout.write(line)
      if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, line)
      done(code === 0)
    }),
  )
}

/** Runs files, some at a time; the result is whether all passed. */
async function runAll(some, atOnce) {
  const waiting = some.toSorted((a, b) => rank(a) - rank(b))
  let passed = true
  const lane = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      passed = (await run(file)) && passed
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return passed
}

const clean = await prepare()
const results = [
  await runAll(
    files.filter((file) => !replayed.test(file)),
    2,
  ),
  await runAll(
    files.filter((file) => replayed.test(file)),
    1,
  ),
]
clean()
process.exit(results.every(Boolean) ? 0 : 1)
