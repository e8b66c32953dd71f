// A trader sets picture and nickname, opens the copy of their data beside the database, closes the account and keeps it; on a desktop and on a phone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { picture as drawn, PASSWORD, Trader } from './lib/trader.mjs'
import { unzip } from './lib/zip.mjs'

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

async function look(trader, name) {
  await picture(trader.page, name)
  await checkBothThemes(trader.page, `${name} at ${trader.width}`)
}

/** Sets a picture and a nickname, which are there again after a reload. */
async function tellOfOneself(trader) {
  const { page } = trader
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: drawn(320, 320) })
  await page.getByRole('img', { name: 'Your picture' }).waitFor()
  await page.getByLabel('Nickname').fill('Ada of the mountains')
  await trader.button('Save').click()
  await trader.heard(/^Saved$/)
  const saved = page.waitForResponse((one) => one.url().includes('updatePersonalInfo'))
  await page.getByRole('switch', { name: /Offers and news/ }).click()
  await saved
  await page.reload()
  await page.getByRole('img', { name: 'Your picture' }).waitFor()
  assert.equal(await page.getByLabel('Nickname').inputValue(), 'Ada of the mountains')
  assert.equal(await page.getByRole('switch', { name: /Offers and news/ }).isChecked(), true)
}

/** Requests the copy, downloads it with a proof, and returns its files. */
async function copyOfData(trader) {
  const { page } = trader
  await trader.button('Request a copy').click()
  await page.getByText(/Your copy is ready/).waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await trader.sendCode()
  await look(trader, 'data-export-proof')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  return unzip(readFileSync(await download.path()))
}

/** Has the account close, and waits until the page says so. */
async function close(trader) {
  const { page } = trader
  await trader.button('Close account').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await trader.sendCode()
  await look(trader, 'close-account')
  await dialog.getByRole('button', { name: 'Close in 14 days' }).click()
  await page.getByRole('heading', { name: 'Your account is closing' }).waitFor()
}

/** Logs out and in again, as a trader does who has second thoughts. */
async function logOutAndIn(trader) {
  const { page } = trader
  // In one go: the app that still runs would lead whoever is logged in away from the log-in page.
  await page.evaluate(() => {
    localStorage.removeItem('token')
    location.hash = '#/login'
    location.reload()
  })
  await page.getByLabel('Email address').fill(trader.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL((url) => !url.hash.startsWith('#/login'))
}

describe('personal information', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    test(`is shown, copied, and the account closed and kept at ${width}`, async () => {
      const trader = await new Trader(browser, server, `pia${width}@trader.example`, width).open()
      const { page } = trader
      try {
        await trader.register()
        await trader.go('/personalInfo')
        await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
        await tellOfOneself(trader)
        await look(trader, 'personal-info')

        const files = await copyOfData(trader)
        const profile = JSON.parse(files['profile.json'])
        const shown = await page.getByText(String(profile.id), { exact: true }).count()
        assert.ok(shown > 0, 'the number on the page is that of the copy')
        assert.equal(profile.email, trader.email)
        assert.equal(profile.nickname, 'Ada of the mountains')
        assert.match(files['devices.csv'], /Chrome/)
        assert.ok(Object.keys(files).some((name) => /^accounts\/\d+\/ledger.csv$/.test(name)))

        await close(trader)
        await look(trader, 'closing')
        for (const path of ['/home/index', '/deposite', '/switchAccount', '/invite']) {
          await trader.go(path)
          await page.getByRole('note').filter({ hasText: 'Your account is closing' }).waitFor()
          await look(trader, `closing-${path.split('/')[1]}`)
        }
        await trader.go('/personalInfo')
        await trader.go('/myCenter')
        await page.getByText('Your account is closing').waitFor()
        await logOutAndIn(trader)
        await trader.go('/personalInfo')
        await trader.button('Keep my account').click()
        await trader.heard(/Your account stays open/)
        await page.getByRole('heading', { name: 'Close account' }).waitFor()
        assert.deepEqual(trader.problems, [])
      } catch (error) {
        await page
          .screenshot({ path: join(tmpdir(), `candor-personal-${width}.png`) })
          .catch(() => {})
        throw error
      }
      await trader.close()
    })
  }
})
