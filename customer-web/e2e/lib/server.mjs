// Starts and stops the real program on a free port with a separate data folder.
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
const BINARY = join(root, 'bin/candor')
const START_MS = 90_000
const STOP_MS = 20_000

/** Returns a free port. */
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
/** Begins the names of the folders that journeys leave when they are killed. */
export const PREFIX = 'candor-e2e-'

/** The folder for the files of test servers: in memory where Linux has enough room, which is much faster. */
function scratch() {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize >= ROOM) return MEMORY
  } catch {
    // Not every system has this folder.
  }
  return tmpdir()
}

/**
 * Makes a data folder that other users may traverse: when root runs the tests, the database runs as another user. Its name contains the process id. With the
 * simulated feed it is a copy of the folder that `prepare` left, if there is one.
 */
export function dataFolder(env = {}) {
  const dir = mkdtempSync(join(scratch(), `${PREFIX}${process.pid}-`))
  chmodSync(dir, 0o755)
  const { E2E_PREPARED } = process.env
  if (E2E_PREPARED && !env.CANDOR_FEED) execFileSync('cp', ['-a', `${E2E_PREPARED}/.`, dir])
  return dir
}

/** Removes the folders of killed journeys. */
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

/** Runs `candor serve`; the result has its URL, the first administrator's link, and a function to stop it. */
export async function startServer({
  env = {},
  dataDir = dataFolder(env),
  port,
  binary = BINARY,
} = {}) {
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
    child.kill('SIGINT') // no caller has it to stop it
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
    /** Runs another command of the program on the same data and returns its output. */
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
 * Ends a wait: of saved payees, of the next code, of the next authenticator step, or of a scheduled notice. Returns the number of changed rows. The product has
 * no such function: a separate program for tests does it.
 */
export async function skipWait({ dataDir }, wait) {
  const { stdout } = await promisify(execFile)(process.env.E2E_TIMESKIP, [dataDir, wait])
  return Number(stdout)
}

/** Runs `candor verify-receipt`, which needs no server and no data. */
export function verifyReceipt(...args) {
  return new Promise((done) => {
    execFile(BINARY, ['verify-receipt', ...args], { cwd: root }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, stdout, stderr }),
    )
  })
}

/** Waits until probe returns a truthy value. */
export async function waitFor(probe, timeout = 15_000, pause = 100) {
  const end = Date.now() + timeout
  for (;;) {
    const value = await probe()
    if (value) return value
    if (Date.now() > end) throw new Error(`gave up waiting after ${timeout} ms: ${probe}`)
    await new Promise((done) => setTimeout(done, pause))
  }
}

/** How long a message may take to an address on a busy machine, in ms. */
const MAIL_MS = 60_000

/** The six-digit code in the newest message to an address. */
export async function codeFor(server, address) {
  return waitFor(async () => {
    const { stdout } = await server.candor('outbox', '--json', '--to', address)
    const [newest] = JSON.parse(stdout)
    return newest && /\b(\d{6})\b/.exec(newest.body)?.[1]
  }, MAIL_MS)
}
