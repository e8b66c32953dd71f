// Runs the sandbox provider beside a server: it shares the server's data folder, and the test controls it.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, freePort, root, startServer, waitFor } from './server.mjs'

const binary = join(root, 'bin/sandbox')
let built = false

function build() {
  if (built) return
  execFileSync('go', ['build', '-o', binary, './app/cmd/sandbox'], { cwd: root, stdio: 'inherit' })
  built = true
}

/**
 * Starts the sandbox and a server that uses it, on free ports with one data folder. The sandbox sends its events to the server; `env` is the server's. The
 * result contains both, and stops both.
 */
export async function startWithSandbox({ env = {} } = {}) {
  build()
  const dataDir = dataFolder(env)
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(binary, [], {
    cwd: root,
    env: { ...process.env, SANDBOX_ADDR: address, CANDOR_DATA_DIR: dataDir, SANDBOX_AUTO: '0s' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise((done) => child.on('exit', done))
  const listen = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`the sandbox ended: ${output}`)
    return output.includes('is running')
  })
  const server = await startServer({ env, dataDir })
  const sandbox = sandboxAt(`http://${address}`)
  return {
    server,
    sandbox,
    providers: () => JSON.parse(readFileSync(join(dataDir, 'providers.json'), 'utf8')),
    async stop() {
      child.kill('SIGINT')
      await ended
      await server.stop()
    },
  }
}

/** The test's controls of the sandbox; each throws when the sandbox refuses. */
function sandboxAt(url) {
  const control = async (what, form) => {
    const answer = await fetch(`${url}/control/${what}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    if (answer.status >= 400)
      throw new Error(`the sandbox refuses ${what} ${JSON.stringify(form)}: ${await answer.text()}`)
  }
  const panel = async () => (await fetch(url)).text()
  return {
    url,
    panel,
    /** well, lost_request, late_answer, server_error, lost_events, many_events, other_amounts */
    behave: (mode) => control('mode', { mode }),
    /** Ends a payment: paid (with an amount, else in full), failed, expired, disputed, cancelled, charged_back. */
    settle: (reference, state, paid = '') => control('payment', { reference, state, paid }),
    /** Advances a payout: sent, confirmed, failed, returned. */
    payout: (reference, state) => control('payout', { reference, state }),
    /** Transfers coins to an address and returns the transfer's id. */
    async receive(reference, coin, chain, amount) {
      const before = new Set((await panel()).match(/TR-\d+-\d+/g))
      await control('receive', { reference, coin, chain, amount })
      return (await panel()).match(/TR-\d+-\d+/g).find((id) => !before.has(id))
    },
    mine: (id) => control('transfer', { id, act: 'mine' }),
    reorganise: (id) => control('transfer', { id, act: 'reorganise' }),
    reappear: (id) => control('transfer', { id, act: 'reappear' }),
    /** The reference of an address, which only the provider's panel shows. */
    async referenceOf(address) {
      const row = (await panel()).split('<tr>').find((text) => text.includes(address))
      return /AD-\d+/.exec(row ?? '')?.[0]
    },
  }
}
