// Writes beside each text file of the build what browsers that accept brotli or gzip get instead.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = join(import.meta.dirname, '..', 'dist')
const texts = /\.(js|css|svg|json|txt|webmanifest)$/
/** Below this size, in bytes, compression saves nothing. */
const LEAST = 512

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (!entry.isFile() || !texts.test(entry.name) || entry.parentPath.endsWith('.vite')) continue
  const bytes = readFileSync(file)
  if (bytes.length < LEAST) continue
  writeFileSync(`${file}.br`, brotliCompressSync(bytes))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
}
