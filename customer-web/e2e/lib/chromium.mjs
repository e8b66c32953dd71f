// Finds or installs a Chromium for the browser journeys and the benchmarks.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
/** Chromium without a user interface: the same pages for half of the CPU time. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']
const FONTS = ['fonts-noto-core', 'fonts-noto-cjk']

function onPath(names) {
  for (const name of names) {
    try {
      const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
      if (path) return path
    } catch {
      // Tries the next name.
    }
  }
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return existsSync(mac) ? mac : null
}

function installed() {
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : null
}

function run(command, args) {
  try {
    execFileSync(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    return true
  } catch {
    return false
  }
}

/** Installs Debian's packages, which only root may. */
function install(...packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  run('apt-get', ['update', '-qq'])
  return run('apt-get', ['install', '-y', '-qq', ...packages])
}

/** The path of a headless shell: the system's, else Debian's package when root, else any Chromium. */
export function findShell() {
  const found = process.env.CHROMIUM ?? onPath(SHELLS)
  if (found) return found
  if (install('chromium-headless-shell', ...FONTS)) return onPath(SHELLS)
  return findChromium()
}

/** The path of a Chromium: the system's, else Debian's package when root, else playwright's own. */
export function findChromium() {
  const found = process.env.CHROMIUM ?? onPath(NAMES) ?? installed()
  if (found) return found
  if (install('chromium', ...FONTS)) return onPath(NAMES)
  run('npx', ['playwright-core', 'install', 'chromium'])
  const path = installed()
  if (!path)
    throw new Error('no Chromium: install one and put it on the PATH, or name it in CHROMIUM')
  return path
}

/**
 * Starts a browser for the journeys. `violations` lists violations of the content security policy; any entry left there fails the run, whatever the journey
 * itself checks.
 */
export async function launch() {
  const browser = await chromium.launch({
    executablePath: findShell(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-prefers-reduced-motion'],
  })
  const violations = []
  const open = browser.newContext.bind(browser)
  process.on('exit', () => {
    if (violations.length === 0) return
    console.error(`against the content security policy:\n${violations.join('\n')}`)
    process.exitCode = 1
  })
  return Object.assign(browser, {
    violations,
    async newContext(options) {
      const context = await open(options)
      await watchPolicy(context, (text) => violations.push(text))
      return context
    },
  })
}

/** Reports each policy violation of a context's pages. Violations in workers, and invalid policies, appear only on the console. */
async function watchPolicy(context, report) {
  await context.exposeBinding('reportViolation', (_source, text) => report(text))
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI, sample, sourceFile, lineNumber } = event
      const where = `${sourceFile}:${lineNumber}`
      window.reportViolation(
        `${location.href} ${effectiveDirective} ${blockedURI} ${sample} ${where}`,
      )
    })
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy/i.test(message.text()))
      report(message.text())
  })
}
