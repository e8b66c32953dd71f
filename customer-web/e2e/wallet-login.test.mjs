// A trader opens an account with an Ethereum wallet, binds a contact before money moves, adds a second factor and comes back with the wallet; on a desktop and on
// a phone. Switched off, wallets are offered nowhere.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { totp } from './lib/desk.mjs'
import { giveWallet } from './lib/ethereum.mjs'
import { picture } from './lib/pictures.mjs'
import { codeFor, skipWait, startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { PASSWORD, Trader } from './lib/trader.mjs'

const KEY = 'web3_login.enabled'
const SOON = 4_000

let browser
let server
let admin

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function switchOff() {
  await admin.page.goto(`${server.url}/admin/switches/${KEY}`)
  await admin.page.getByRole('button', { name: 'Switch off now…' }).click()
  await admin.dialog().getByLabel('Reason').fill('Signatures look wrong.')
  await admin.dialog().getByRole('button', { name: 'Switch off now' }).click()
  await admin.dialog().waitFor({ state: 'hidden' })
}

async function look(trader, name) {
  await picture(trader.page, name)
  await checkBothThemes(trader.page, `${name} at ${trader.width}`)
}

const walletTab = ({ page }) => page.getByRole('tab', { name: 'Wallet' })

async function chooseWallet(trader) {
  await walletTab(trader).click()
  await trader.page.getByRole('button', { name: 'Test wallet' }).click()
}

async function openByWallet(trader, wallet) {
  const { page } = trader
  await trader.go('/login')
  await walletTab(trader).click()
  await page.getByRole('button', { name: 'Test wallet' }).waitFor()
  await look(trader, 'wallet-login')
  wallet.decline()
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText('You declined the request in your wallet.').waitFor()
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText('No account is linked to this wallet yet').waitFor()
  await look(trader, 'wallet-unknown')
  await trader.button('Open an account').click()
  await page.getByLabel('Country of residence').click()
  await page.getByRole('dialog').getByRole('searchbox').fill('Switzerland')
  await page.getByRole('dialog').getByText('Switzerland').click()
  await page.getByLabel('I am 18 years old or older.').check()
  await page.getByLabel(/I accept the terms/).check()
  await look(trader, 'wallet-open')
  await trader.button('Open an account').click()
  await page.waitForURL((url) => !url.hash.startsWith('#/login'))
}

async function bindContact(trader) {
  const { page } = trader
  await trader.go('/deposite')
  await page.getByText('Your wallet is the only way into this account.').waitFor()
  await look(trader, 'wallet-contact-first')
  await page.getByRole('link', { name: 'Add a contact' }).click()
  await page.getByLabel('Email address').fill(trader.email)
  await trader.button('Send code').click()
  await page.getByLabel('Verification code').fill(await codeFor(server, trader.email))
  await page.getByLabel('New login password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Test wallet' }).click()
  await page.getByText(/is connected/).waitFor()
  await look(trader, 'wallet-first-contact')
  await trader.button('Add to account').click()
  await page.getByRole('link', { name: 'Back to security' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/securitySet'))
  await page
    .getByText(/0x[0-9A-Fa-f]{4}…[0-9A-Fa-f]{4}/)
    .first()
    .waitFor()
  await look(trader, 'wallet-security')
  await trader.go('/deposite')
  await page.getByText('No fee from us').first().waitFor()
}

/** Sets up an authenticator and returns its key. */
async function addAuthenticator(trader) {
  const { page } = trader
  await trader.go('/secondFactor')
  await trader.button('Set up authenticator').click()
  await page.getByRole('dialog').getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await trader.sendCode()
  await trader.button('Continue').click()
  const key = page.getByRole('dialog').locator('dd bdi').first()
  const secret = (await key.textContent()).replace(/\s/g, '')
  await page.getByLabel('Authenticator code').fill(totp(secret))
  await trader.button('Turn on').click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await codes.getByLabel('I have saved these codes').check()
  await codes.getByRole('button', { name: 'Done' }).click()
  return secret
}

async function logOut(trader) {
  const { page } = trader
  await trader.go('/myCenter')
  await trader.button('Log out').last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/login'))
}

/** Logs in with the wallet; the same signed text is refused afterwards. */
async function comeBack(trader, secret) {
  const { page } = trader
  let sent
  page.on('request', (request) => {
    if (request.url().endsWith('/client/user/walletLogin')) sent = request
  })
  await trader.go('/login')
  await chooseWallet(trader)
  await page.getByText('Confirm it’s you with your second factor.').waitFor()
  await look(trader, 'wallet-factor')
  await skipWait(server, 'authenticators')
  await page.getByLabel('Authenticator code').fill(totp(secret))
  await trader.button('Confirm').click()
  await page.waitForURL((url) => !url.hash.startsWith('#/login'))
  const again = await page.request.post(sent.url(), {
    headers: await sent.allHeaders(),
    data: sent.postData(),
  })
  assert.equal((await again.json()).code, 'wallet.expired')
}

test('two people switch wallets on', async () => {
  admin = await comeToDesk(browser, server, 'carl')
  await admin.switchOn(await comeToDesk(browser, server, 'ann'), KEY)
})

for (const width of [1440, 390]) {
  describe(`at ${width} px`, () => {
    test('a wallet opens an account, which is guarded before money moves', async () => {
      const trader = await new Trader(browser, server, `w${width}@trader.example`, width).open()
      const wallet = await giveWallet(trader.context)
      await openByWallet(trader, wallet)
      await bindContact(trader)
      const secret = await addAuthenticator(trader)
      await logOut(trader)
      await comeBack(trader, secret)
      assert.deepEqual(trader.problems, [])
      await trader.context.close()
    })
  })
}

test('switched off, wallets are offered nowhere', async () => {
  const visitor = await new Trader(browser, server, 'off@trader.example', 390).open()
  await visitor.go('/login')
  await walletTab(visitor).waitFor()
  await switchOff()
  await walletTab(visitor).waitFor({ state: 'hidden', timeout: SOON })
  await visitor.go('/register')
  await visitor.page.getByLabel('Email address').waitFor()
  assert.equal(await walletTab(visitor).count(), 0)
})
