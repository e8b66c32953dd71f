// A trader's preferences follow them: what is changed on one device is there on the other, unless a device keeps its own settings; a guest's choices come along
// at the registration. On a desktop and on a phone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { codeFor, skipWait, startServer, waitFor } from './lib/server.mjs'
import { PASSWORD, Trader } from './lib/trader.mjs'

let browser
let server

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** What the document shows of the preferences. */
const shown = ({ page }) =>
  page.evaluate(() => {
    const { dataset, lang, dir } = document.documentElement
    return { theme: dataset.theme, direction: dataset.direction, lang, dir }
  })

/** Waits until the document shows what is wanted, and nothing else of it. */
async function shows(trader, wanted) {
  await waitFor(async () => {
    const now = await shown(trader)
    return Object.keys(wanted).every((key) => now[key] === wanted[key])
  }, 60_000).catch(async (error) => {
    throw new Error(`${JSON.stringify(await shown(trader))} is shown`, { cause: error })
  })
}

/** Chooses options, and waits until the account has them. */
async function choose({ page }, ...options) {
  const saved = page.waitForResponse(/savePreferences/, { timeout: 120_000 })
  for (const name of options) await page.getByRole('radio', { name }).first().check()
  assert.equal((await (await saved).json()).status, 1)
}

/** The trader logs in on another device, which is new and takes a code. */
async function secondDevice({ email, width }) {
  const trader = await new Trader(browser, server, email, width).open()
  const { page } = trader
  await trader.go('/login?from=/preferenceSet')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await skipWait(server, 'codes')
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
  await page.getByText(/The code works for 10 minutes/).waitFor()
  await page.getByLabel('Verification code').fill(await codeFor(server, email))
  await trader.button('Confirm').click()
  await page.waitForURL((url) => url.hash.startsWith('#/preferenceSet'))
  return trader
}

async function look(trader, name) {
  await picture(trader.page, name)
  await checkBothThemes(trader.page, `${name} at ${trader.width}`)
}

const deviceOnly = ({ page }) =>
  page.getByRole('switch', { name: /Use these settings on this device only/ })

async function followsTo(first, second) {
  await shows(second, { theme: 'dark', direction: 'blue-orange' })
  await second.page.getByRole('radio', { name: '12-hour' }).waitFor()
  assert.ok(await second.page.getByRole('radio', { name: '12-hour' }).isChecked())
  await choose(second, 'Light')
  // A device that is open reads the account again when the trader comes back to it; opening the app does so at once.
  await first.page.reload()
  await shows(first, { theme: 'light', direction: 'blue-orange' })
}

async function keepsItsOwn(first, second) {
  await deviceOnly(second).check()
  await second.page.getByText(/Changes you make here stay on this device/).waitFor()
  await look(second, 'preferences-device-only')
  await second.page.getByRole('radio', { name: 'Dark' }).check()
  await choose(first, 'Red up, green down')
  await second.page.reload()
  await second.page.getByText(/Changes you make here stay on this device/).waitFor()
  await shows(second, { theme: 'dark', direction: 'blue-orange' })
  await first.page.reload()
  await shows(first, { theme: 'light', direction: 'red-up' })
  await deviceOnly(second).uncheck()
  await shows(second, { theme: 'light', direction: 'red-up' })
  await look(second, 'preferences')
}

async function changesLanguage(first, second) {
  const saved = first.page.waitForResponse(/savePreferences/, { timeout: 120_000 })
  await first.go('/lang')
  await first.page.getByText('العربية').first().click()
  await saved
  await shows(first, { lang: 'ar', dir: 'rtl' })
  await second.page.reload()
  await shows(second, { lang: 'ar', dir: 'rtl' })
  await second.page.getByRole('switch').first().waitFor()
  await look(second, 'preferences-ar')
}

for (const width of [390, 1440])
  describe(`at ${width} px`, () => {
    test('choices follow the trader to another device, or stay on one', async () => {
      const first = await new Trader(browser, server, `p${width}@trader.example`, width).open()
      // A guest's choices come along at the registration.
      await first.go('/home/index')
      await first.button('Try with demo money').click()
      await first.page.waitForURL((url) => url.hash.includes('/trade'))
      await first.go('/preferenceSet')
      await first.page.getByText(/When you register or log in/).waitFor()
      await look(first, 'preferences-guest')
      assert.equal(await deviceOnly(first).count(), 0)
      for (const name of ['Dark', 'Blue up, orange down', '12-hour'])
        await first.page.getByRole('radio', { name }).first().check()
      const saved = first.page.waitForResponse(/savePreferences/, { timeout: 120_000 })
      await first.register()
      const { fields } = (await (await saved).json()).data
      assert.deepEqual(Object.fromEntries(fields.map(({ name, value }) => [name, value])), {
        theme: 'dark',
        direction: 'blue-orange',
        hourCycle: '12',
      })
      await first.go('/preferenceSet')
      await shows(first, { theme: 'dark', direction: 'blue-orange' })

      const second = await secondDevice(first)
      await followsTo(first, second)
      await keepsItsOwn(first, second)
      await changesLanguage(first, second)
      assert.deepEqual([...first.problems, ...second.problems], [])
      await first.close()
      await second.close()
    })
  })
