// Runs everything with reload: the server again when Go, templ, SQL or texts change, the trader app through Vite.
import { spawn, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const watched = ['app', 'admin', 'templates', 'migrations', 'locales']
let server
let stopping = false
let timer

function build() {
  const templ = spawnSync('go', ['tool', 'templ', 'generate', '-log-level', 'error'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (templ.status !== 0) return false
  return (
    spawnSync('go', ['build', '-o', 'bin/candor', './app/cmd/candor'], {
      cwd: root,
      stdio: 'inherit',
    }).status === 0
  )
}

function start() {
  server = spawn(join(root, 'bin/candor'), ['serve'], { cwd: root, stdio: 'inherit' })
}

function restart() {
  if (!build()) return
  if (!server || server.exitCode !== null) return start()
  server.once('exit', () => !stopping && start())
  server.kill('SIGINT')
}

for (const folder of watched) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (!name || name.endsWith('_templ.go') || !/\.(go|templ|sql|json)$/.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(restart, 300)
  })
}
restart()
const vite = spawn(
  process.execPath,
  [join(root, 'node_modules/vite/bin/vite.js'), '--config', 'customer-web/vite.config.ts'],
  { cwd: root, stdio: 'inherit' },
)
process.on('SIGINT', () => {
  stopping = true
  vite.kill('SIGINT')
  server?.kill('SIGINT')
  server?.once('exit', () => process.exit(0))
})
