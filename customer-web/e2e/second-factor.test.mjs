// A trader adds a passkey, logs in and confirms with it, and removes it; another sets up an authenticator app, loses the phone, and comes back with a recovery
// code; on a desktop and on a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { totp } from './lib/desk.mjs'
import { atDomain, giveAuthenticator } from './lib/passkey.mjs'
import { picture } from './lib/pictures.mjs'
import { skipWait, startServer } from './lib/server.mjs'
import { PASSWORD, Trader } from './lib/trader.mjs'

let browser
let server

before(async () => {
  browser = await launch()
  server = atDomain(await startServer())
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function logOut({ page }, trader) {
  await trader.go('/myCenter')
  await trader.button('Log out').last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/login'))
}

async function look(trader, name) {
  await picture(trader.page, name)
  await checkBothThemes(trader.page, `${name} at ${trader.width}`)
}

/** Types the login password and a fresh code into the open sheet. */
async function proveIn(trader) {
  const sheet = trader.page.getByRole('dialog')
  await sheet.getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await trader.sendCode()
}

/** Comes to the page as traders do: the app knows where Back leads. */
async function openFactors(trader) {
  await trader.go('/securitySet')
  await trader.page.reload()
  await trader.page
    .getByRole('main')
    .getByRole('link', { name: /Two-factor login/ })
    .click()
  await trader.page.getByRole('heading', { name: 'Two-factor login' }).first().waitFor()
}

/** Reads the recovery codes and says that they are saved. */
async function keepCodes(trader) {
  const sheet = trader.page.getByRole('dialog', { name: 'Your recovery codes' })
  await sheet.getByRole('listitem').first().waitFor()
  const codes = await sheet.getByRole('listitem').allTextContents()
  assert.equal(codes.length, 10)
  await look(trader, 'recovery-codes')
  await trader.page.goBack()
  await trader.page.waitForTimeout(300)
  assert.ok(await sheet.isVisible(), 'the codes are shown only now')
  assert.ok(await sheet.getByRole('button', { name: 'Done' }).isDisabled())
  await sheet.getByLabel('I have saved these codes').check()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await sheet.waitFor({ state: 'detached' })
  return codes.map((code) => code.trim())
}

async function addPasskey(trader, key) {
  const { page } = trader
  await openFactors(trader)
  await page.getByText('Your account has no second factor yet').waitFor()
  await look(trader, 'second-factor-none')
  await trader.button('Add a passkey').click()
  await page.getByRole('dialog').getByLabel('Name').fill('My phone')
  await proveIn(trader)
  await look(trader, 'add-passkey')
  await trader.button('Create passkey').click()
  await keepCodes(trader)
  assert.equal((await key.credentials()).length, 1)
  await page.getByText('My phone', { exact: true }).waitFor()
  await page.getByText('10 codes are left.').waitFor()
}

/** Logs in with the passkey alone. */
async function logInByPasskey(trader) {
  const { page } = trader
  await trader.go('/login')
  await trader.button('Log in with a passkey').waitFor()
  await look(trader, 'login-passkey')
  await trader.button('Log in with a passkey').click()
  await page.waitForURL((url) => !url.hash.startsWith('#/login'))
}

/** A password alone asks for the passkey. */
async function passwordIsNotEnough(trader) {
  const { page } = trader
  await trader.go('/login')
  await page.getByLabel('Email address').fill(trader.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
  await page.getByText('Confirm it’s you with your second factor.').waitFor()
  await look(trader, 'login-factor-passkey')
  await trader.button('Log in with a passkey').click()
  await page.waitForURL((url) => !url.hash.startsWith('#/login'))
}

/** The passkey confirms a new payment password; closing its window changes nothing. */
async function confirmByPasskey(trader, key) {
  const { page } = trader
  await trader.go('/modifyPayPassword')
  await page.getByText('When you continue, your browser asks for your passkey.').waitFor()
  await look(trader, 'payment-password-passkey')
  await page.getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New payment password', { exact: true }).fill('482915')
  await page.getByLabel('Confirm new payment password', { exact: true }).fill('482915')
  await key.verifies(false)
  await trader.button('Set payment password').click()
  await page.getByText(/The passkey (window was closed|could not be checked)/).waitFor()
  await key.verifies(true)
  await trader.button('Set payment password').click()
  await trader.heard(/Payment password set/)
}

async function removePasskey(trader) {
  const { page } = trader
  await openFactors(trader)
  await page.getByRole('button', { name: 'Rename My phone' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Old phone')
  await trader.button('Save').click()
  await trader.heard(/Passkey renamed/)
  await page.getByRole('button', { name: 'Remove Old phone' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await look(trader, 'remove-passkey')
  await sheet.getByRole('button', { name: 'Remove' }).click()
  await trader.heard(/Passkey removed/)
  await page.getByText('Your account has no second factor yet').waitFor()
  await trader.go('/securitySet')
  await page.getByText('The authenticator was changed').waitFor()
}

async function setUpAuthenticator(trader) {
  const { page } = trader
  await openFactors(trader)
  await trader.button('Set up authenticator').click()
  await proveIn(trader)
  await trader.button('Continue').click()
  const key = page.getByRole('dialog').locator('dd bdi').first()
  await key.waitFor()
  const secret = (await key.textContent()).replace(/\s/g, '')
  await look(trader, 'authenticator')
  await page.getByLabel('Authenticator code').fill('000000')
  await trader.button('Turn on').click()
  await page.getByText('The code is wrong or was already used.').waitFor()
  await page.getByLabel('Authenticator code').fill(totp(secret))
  await trader.button('Turn on').click()
  return { secret, codes: await keepCodes(trader) }
}

async function typePassword(trader) {
  const { page } = trader
  await trader.go('/login')
  await page.getByLabel('Email address').fill(trader.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
  await page.getByText('Confirm it’s you with your second factor.').waitFor()
}

describe('a second factor', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    const journey = (name, act) =>
      test(`${name} at ${width}`, async () => {
        const trader = await new Trader(
          browser,
          server,
          `${name.replace(/\W/g, '')}${width}@trader.example`,
          width,
        ).open()
        try {
          await trader.register()
          await act(trader)
          assert.deepEqual(trader.problems, [])
        } catch (error) {
          await trader.page
            .screenshot({ path: join(tmpdir(), `candor-second-factor-${width}.png`) })
            .catch(() => {})
          throw error
        }
        await trader.close()
      })

    journey('a passkey', async (trader) => {
      const key = await giveAuthenticator(trader.page)
      await addPasskey(trader, key)
      await logOut(trader, trader)
      await logInByPasskey(trader)
      await logOut(trader, trader)
      await passwordIsNotEnough(trader)
      await confirmByPasskey(trader, key)
      await removePasskey(trader)
    })

    journey('a lost phone', async (trader) => {
      const { page } = trader
      const { secret, codes } = await setUpAuthenticator(trader)
      await logOut(trader, trader)
      await typePassword(trader)
      await look(trader, 'login-factor')
      await skipWait(server, 'authenticators')
      await page.getByLabel('Authenticator code').fill(totp(secret))
      await trader.button('Confirm').click()
      await page.waitForURL((url) => !url.hash.startsWith('#/login'))
      await logOut(trader, trader)
      await typePassword(trader)
      await trader.button('I’ve lost my phone or passkey').click()
      await look(trader, 'login-recovery')
      await page.getByLabel('Recovery code').fill(codes[0].toLowerCase())
      await trader.button('Confirm').click()
      await page.waitForURL((url) => !url.hash.startsWith('#/login'))
      await trader.go('/securitySet')
      await page.getByText('A recovery code was used').waitFor()
      await openFactors(trader)
      await page.getByText('9 codes are left.').waitFor()
    })
  }
})
