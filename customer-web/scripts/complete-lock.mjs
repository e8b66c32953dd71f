// Completes package-lock.json after `npm install`: npm leaves out platform packages that its registry did not offer on the day, and
// `npm ci` then refuses the lock file on every platform. An entry without a checksum says that such a package exists and for whom.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, '../../package-lock.json')
const lock = JSON.parse(readFileSync(path, 'utf8'))

const systems = {
  android: 'android',
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  freebsd: 'freebsd',
}
const processors = { arm64: 'arm64', x64: 'x64', 'arm-gnueabihf': 'arm', wasm32: 'wasm32' }

function pick(name, words) {
  const found = Object.entries(words).find(([word]) => name.includes(`-${word}`))
  return found ? [found[1]] : undefined
}

let added = 0
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key]) continue
    const os = pick(name, systems)
    const cpu = pick(name, processors)
    lock.packages[key] = {
      version: version.replace(/^[^\d]*/, ''),
      optional: true,
      ...(os ? { os } : {}),
      ...(cpu ? { cpu } : {}),
    }
    added++
  }
}
const names = Object.keys(lock.packages).sort((a, b) => (a < b ? -1 : 1))
lock.packages = Object.fromEntries(names.map((name) => [name, lock.packages[name]]))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} platform packages added to the lock file`)
