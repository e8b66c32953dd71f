// Says after a build what a first visit downloads, and what the trade screen needs with its chart: every
// script and style that index.html names, the screen, and the English texts it waits for. With --check it
// fails when one of them is more than its budget allows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const INITIAL_KB = 150
const TRADE_KB = 210

const dist = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))

/** A screen's file, or the one that vite.config.ts put it into. */
function screen(name, group) {
  const key = `src/app/routes/${name}.tsx`
  return manifest[key] ? key : Object.keys(manifest).find((one) => manifest[one].name === group)
}

const shell = ['index.html', '../locales/customer/en.json?part=first']
const initial = [...shell, screen('home-index', 'home')]
const chart = [
  '../locales/customer/en.json?part=trade',
  'src/features/chart/components/price-chart.tsx',
]

/** The files of these modules and of all they import. */
function filesOf(keys) {
  const files = new Set(['boot.js'])
  const seen = new Set()
  const collect = (key) => {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`the build has no ${key}`)
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const imported of chunk.imports ?? []) collect(imported)
  }
  keys.forEach(collect)
  return files
}

function sizeOf(file) {
  const bytes = readFileSync(join(dist, file))
  return {
    gzip: gzipSync(bytes, { level: 9 }).length / 1000,
    brotli: brotliCompressSync(bytes).length / 1000,
  }
}

/** Prints the files that are not listed yet and the sum of all. */
function report(name, keys, budget, listed = new Set()) {
  const files = filesOf(keys)
  let gzip = 0
  let brotli = 0
  for (const file of files) {
    const size = sizeOf(file)
    gzip += size.gzip
    brotli += size.brotli
    if (!listed.has(file)) console.log(`${size.brotli.toFixed(1).padStart(8)} kB brotli  ${file}`)
  }
  console.log(
    `${name}: ${brotli.toFixed(1)} kB brotli, ${gzip.toFixed(1)} kB gzip, budget ${budget} kB brotli`,
  )
  return { name, files, brotli, budget }
}

/** Reports both routes; says how large each is. */
function reportAll() {
  const first = report('initial route', initial, INITIAL_KB)
  const trade = [
    ['trade', 'phone'],
    ['pc-trade', 'terminal'],
  ].map(([name, group]) =>
    report(
      `initial route, then ${name} with its chart`,
      [...initial, screen(name, group), ...chart],
      TRADE_KB,
      first.files,
    ),
  )
  return [first, ...trade]
}

/** The budgets as the targets of a benchmark. */
export function budgets() {
  return reportAll().map(({ name, brotli, budget }) => ({
    id: 'P17',
    value: Number(brotli.toFixed(1)),
    target: budget,
    better: 'lower',
    rounds: 1,
    detail: { what: name, unit: 'kB brotli' },
  }))
}

if (process.argv[1] === import.meta.filename) {
  const within = reportAll().every(({ brotli, budget }) => brotli <= budget)
  if (!within && process.argv.includes('--check')) process.exit(1)
}
