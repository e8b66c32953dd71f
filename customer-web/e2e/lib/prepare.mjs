// Makes once what most journeys begin with.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from './chromium.mjs'
import { PREFIX, root, startServer } from './server.mjs'
import { hireStaff } from './staff.mjs'

/** Builds the program that ends waits in a test's database; returns the folder of tools. */
export function buildTools() {
  const tools = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  process.env.E2E_TIMESKIP = join(tools, 'timeskip')
  execFileSync(
    process.env.GO ?? 'go',
    ['build', '-o', process.env.E2E_TIMESKIP, './app/platform/dbtest/cmd/timeskip'],
    { cwd: root },
  )
  return tools
}

/** Starts a server once to write the database, staff and price history that most journeys begin with; returns the folder. */
export async function prepare(tools) {
  const server = await startServer()
  const browser = await launch()
  const staff = join(tools, 'staff.json')
  await hireStaff(browser, server, staff)
  await browser.close()
  await server.stop({ keep: true })
  process.env.E2E_PREPARED = server.dataDir
  process.env.E2E_STAFF = staff
  return server.dataDir
}
