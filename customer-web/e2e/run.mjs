// Runs the browser journeys with node's own test runner, one process per file, and prints how long each file took. Each file has its own server, browser and
// data folder, so two run at a time; of the journeys in which a replayed market moves only one runs at a time.
import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findShell } from './lib/chromium.mjs'
import { buildTools, prepare } from './lib/prepare.mjs'
import { removeLeftovers } from './lib/server.mjs'

process.env.CHROMIUM = findShell()
removeLeftovers()
const folder = import.meta.dirname
const wanted = process.argv.slice(2)
const files = readdirSync(folder).filter(
  (name) =>
    name.endsWith('.test.mjs') &&
    (wanted.length === 0 || wanted.some((word) => name.includes(word))),
)
const replayed = /^(activity|guest|journey|orders|positions|proof|ticket)\./
/** These begin with an empty database: they run while the others' data folder is prepared. */
const unprepared = (name) => name.startsWith('accessibility') || replayed.test(name)
const AT_ONCE = 2
/** The longest first, so that it is not left alone at the end; then those that have to follow each other, the fastest market last, when less else begins. */
const order = [
  /^accessibility\./,
  /^(activity|guest|orders|positions|proof|ticket)\./,
  /^journey\./,
]
const rank = (name) => {
  const at = order.findIndex((names) => names.test(name))
  return at < 0 ? order.length : at
}

/** The failed tests of all files with their errors, told once more at the end of the output. */
const failures = []

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
      const text = Buffer.concat(output).toString()
      process.stdout.write(text)
      failures.push(...(text.match(/^ *not ok .*|^ *error: .*(?:\n +\S.*){0,6}/gm) ?? []))
      const seconds = Math.round((Date.now() - began) / 1000)
      const line = `${seconds}\te2e ${basename(file, '.test.mjs')}\n`
      process.stdout.write(line)
      if (process.env.TEST_TIMES) appendFileSync(process.env.TEST_TIMES, line)
      done(code === 0)
    }),
  )
}

/** Takes the next file to run: of those with a replayed market only one may run at a time. */
function take(waiting, running) {
  const busy = running.some((file) => replayed.test(file))
  const at = waiting.findIndex((file) => !(busy && replayed.test(file)))
  return at < 0 ? undefined : waiting.splice(at, 1)[0]
}

/** Runs files, some at a time; the result is whether all passed. */
async function runAll(some, atOnce) {
  const waiting = some.toSorted((a, b) => rank(a) - rank(b))
  const running = []
  let passed = true
  const lane = async () => {
    for (let file = take(waiting, running); file; file = take(waiting, running)) {
      running.push(file)
      if (!unprepared(file)) await ready
      passed = (await run(file)) && passed
      running.splice(running.indexOf(file), 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return passed
}

const tools = buildTools()
const ready = prepare(tools)
const passed = await runAll(files, AT_ONCE)
for (const folder of [tools, await ready]) rmSync(folder, { recursive: true, force: true })
if (failures.length > 0) process.stdout.write(`\nfailed:\n${failures.join('\n')}\n`)
process.exit(passed ? 0 : 1)
