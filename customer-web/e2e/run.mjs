// Runs the browser journeys with node's own test runner, one file after the other.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './lib/chromium.mjs'

process.env.CHROMIUM = findChromium()
const folder = import.meta.dirname
const wanted = process.argv.slice(2)
const files = readdirSync(folder)
  .filter(
    (name) =>
      name.endsWith('.test.mjs') &&
      (wanted.length === 0 || wanted.some((word) => name.includes(word))),
  )
  .map((name) => join(folder, name))
const child = spawn(
  process.execPath,
  ['--test', '--test-concurrency=1', '--test-timeout=600000', ...files],
  { stdio: 'inherit' },
)
child.on('exit', (code) => process.exit(code ?? 1))
