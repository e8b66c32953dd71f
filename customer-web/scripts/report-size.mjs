// Says after a build what a first visit downloads: every script and style that index.html names,
// the home screen, and the English texts. Fails when that is more than the target allows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const TARGET_KB = 150

const dist = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))

function collect(key, files = new Set()) {
  const chunk = manifest[key]
  if (!chunk || files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const css of chunk.css ?? []) files.add(css)
  for (const imported of chunk.imports ?? []) collect(imported, files)
  return files
}

const files = collect('index.html')
for (const key of ['src/app/routes/home-index.tsx', '../locales/customer/en.json'])
  collect(key, files)
files.add('boot.js')

let gzip = 0
let brotli = 0
for (const file of files) {
  const bytes = readFileSync(join(dist, file))
  const sizes = {
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  }
  gzip += sizes.gzip
  brotli += sizes.brotli
  console.log(`${String((sizes.brotli / 1000).toFixed(1)).padStart(8)} kB brotli  ${file}`)
}

const total = brotli / 1000
console.log(
  `initial route: ${total.toFixed(1)} kB brotli, ${(gzip / 1000).toFixed(1)} kB gzip, target ${TARGET_KB} kB brotli`,
)
if (total > TARGET_KB && process.argv.includes('--check')) process.exit(1)
