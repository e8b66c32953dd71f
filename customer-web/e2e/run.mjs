// Runs the browser journeys with node's test runner. Each file has a separate server, browser and data folder, so two run at a time; the journeys with a
// replayed market run one after the other.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './lib/chromium.mjs'
import { prepare, removeLeftovers } from './lib/server.mjs'

process.env.CHROMIUM = findChromium()
removeLeftovers()
const folder = import.meta.dirname
const wanted = process.argv.slice(2)
const files = readdirSync(folder)
  .filter(
    (name) =>
      name.endsWith('.test.mjs') &&
      (wanted.length === 0 || wanted.some((word) => name.includes(word))),
  )
  .map((name) => join(folder, name))
const clocked = /(guest|journey|orders|positions|proof|ticket)\.test\.mjs$/

/** Runs some of the files; returns the exit code. */
function run(some, atOnce) {
  if (some.length === 0) return 0
  const child = spawn(
    process.execPath,
    ['--test', `--test-concurrency=${atOnce}`, '--test-timeout=1800000', ...some],
    { stdio: 'inherit' },
  )
  return new Promise((done) => child.on('exit', (code) => done(code ?? 1)))
}

const still = files.filter((file) => !clocked.test(file))
const moving = files.filter((file) => clocked.test(file))
const clean = await prepare()
const codes = [await run(still, 2), await run(moving, 1)]
clean()
process.exit(Math.max(...codes))
