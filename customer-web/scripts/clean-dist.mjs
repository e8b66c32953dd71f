// Empties dist before a build, except the placeholder that lets `go build` run in a clean clone.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, '..', 'dist')

for (const name of readdirSync(dist)) {
  if (name !== 'placeholder.html') rmSync(join(dist, name), { recursive: true })
}
