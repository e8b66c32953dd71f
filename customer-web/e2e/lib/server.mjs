// Starts the real program on a free port with a data folder of its own, and ends it.
import { execFile, execFileSync, spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

export const root = resolve(import.meta.dirname, '../../..')
const binary = join(root, 'bin/candor')
const START_MS = 90_000
const STOP_MS = 20_000

/** A port that is free now. */
export function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}

const MEMORY = '/dev/shm'
const ROOM = 4 * 2 ** 30
const PREFIX = 'candor-e2e-'

/** Where servers that live as long as a test keep their files: in memory where Linux offers it with room, which is much faster. */
function scratch() {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize >= ROOM) return MEMORY
  } catch {
    // not everybody has it
  }
  return tmpdir()
}

/**
 * A folder that another user may pass through: started by root, the database runs as somebody else. Its name tells whose it is. With the simulated feed it is
 * a copy of what `prepare` has left, if somebody has called it.
 */
export function dataFolder(env = {}) {
  const dir = mkdtempSync(join(scratch(), `${PREFIX}${process.pid}-`))
  chmodSync(dir, 0o755)
  const { E2E_PREPARED } = process.env
  if (E2E_PREPARED && !env.CANDOR_FEED) execFileSync('cp', ['-a', `${E2E_PREPARED}/.`, dir])
  return dir
}

/** Lets a server write its database and the price history once, for all journeys that begin with those; the answer removes what it wrote. */
export async function prepare() {
  const server = await startServer()
  await server.stop({ keep: true })
  process.env.E2E_PREPARED = server.dataDir
  const tools = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  process.env.E2E_TIMESKIP = join(tools, 'timeskip')
  execFileSync(
    process.env.GO ?? 'go',
    ['build', '-o', process.env.E2E_TIMESKIP, './app/platform/dbtest/cmd/timeskip'],
    { cwd: root },
  )
  return () => {
    for (const dir of [server.dataDir, tools]) rmSync(dir, { recursive: true, force: true })
  }
}

/** Removes the folders of journeys that were killed. */
export function removeLeftovers() {
  for (const parent of [MEMORY, tmpdir()].filter(existsSync)) {
    for (const name of readdirSync(parent).filter((name) => name.startsWith(PREFIX))) {
      const pid = Number.parseInt(name.slice(PREFIX.length), 10)
      if (!Number.isNaN(pid) && !alive(pid))
        rmSync(join(parent, name), { recursive: true, force: true })
    }
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

/** Runs `candor serve`; the answer knows its address, its first administrator's link, and how to stop it. */
export async function startServer({ env = {}, dataDir = dataFolder(env), port } = {}) {
  port ??= await freePort()
  const settings = {
    ...process.env,
    ...env,
    CANDOR_ADDR: `127.0.0.1:${port}`,
    CANDOR_DATA_DIR: dataDir,
    DATABASE_URL: '',
    CANDOR_OWNER_URL: '',
  }
  const child = spawn(binary, ['serve'], {
    cwd: root,
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise((done) => child.on('exit', (code, signal) => done({ code, signal })))
  const listen = (chunk) => {
    output += chunk
    if (process.env.E2E_LOG) process.stderr.write(chunk)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output}`)
    return output.includes('Candor is running')
  }, START_MS).catch((error) => {
    child.kill('SIGINT') // nobody else knows it
    throw error
  })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    dataDir,
    pid: child.pid,
    output: () => output,
    firstLink: /http:\/\/\S+(\/admin\/first\/\S+)/.exec(output)?.[1],
    /** Runs another command of the program on the same data and returns what it printed. */
    candor: (...args) =>
      promisify(execFile)(binary, args, { cwd: root, env: settings, maxBuffer: 64 << 20 }),
    async stop({ keep = false } = {}) {
      child.kill('SIGINT')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      const how = await ended
      clearTimeout(timer)
      if (!keep) rmSync(dataDir, { recursive: true, force: true })
      return how
    },
  }
}

/**
 * Lets a wait pass: of saved payees, of the next code, of the next step of an authenticator, or of a notice for its moment. The answer is how many waited. The
 * product has no such door: this is a program beside it, which only tests have.
 */
export async function skipWait({ dataDir }, wait) {
  const { stdout } = await promisify(execFile)(process.env.E2E_TIMESKIP, [dataDir, wait])
  return Number(stdout)
}

/** Runs `candor verify-receipt`, which needs no server and no data. */
export function verifyReceipt(...args) {
  return new Promise((done) => {
    execFile(binary, ['verify-receipt', ...args], { cwd: root }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, stdout, stderr }),
    )
  })
}

/** Waits until probe answers something true. */
export async function waitFor(probe, timeout = 15_000, pause = 100) {
  const end = Date.now() + timeout
  for (;;) {
    const value = await probe()
    if (value) return value
    if (Date.now() > end) throw new Error(`gave up waiting after ${timeout} ms: ${probe}`)
    await new Promise((done) => setTimeout(done, pause))
  }
}

/** The newest message to an address, with a six-digit code in it. */
export async function codeFor(server, address) {
  return waitFor(async () => {
    const { stdout } = await server.candor('outbox', '--json', '--to', address)
    const [newest] = JSON.parse(stdout)
    return newest && /\b(\d{6})\b/.exec(newest.body)?.[1]
  })
}
