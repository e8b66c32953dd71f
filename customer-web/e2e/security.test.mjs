// A trader sets a payment password, mistypes it, changes it, and sees that the change locks withdrawals; on a desktop and on a phone. A forgotten log-in
// password is replaced, by the trader alone or after staff had a code sent.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { codeFor, startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { PASSWORD, Trader } from './lib/trader.mjs'

const FIRST = '482915'
const SECOND = '739104'
const REPLACED = 'another horse with a better battery'

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

/** The subject of the newest message to an address. */
async function told(address) {
  const { stdout } = await server.candor('outbox', '--json', '--to', address)
  return JSON.parse(stdout)[0].subject
}

/** Sets it from the security page: a simple one is refused, a good one is accepted, and there is no withdrawal lock. */
async function setIt(trader) {
  const { page } = trader
  await trader.go('/myCenter')
  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('link', { name: /Payment password.*Not set/ }).click()
  await page.getByText(/Setting it now doesn’t delay withdrawals/).waitFor()
  await page.getByLabel('New payment password', { exact: true }).fill('123456')
  await trader.button('Set payment password').click()
  await page.getByText(/Too easy to guess/).waitFor()
  await trader.setPaymentPassword(FIRST)
  await page.getByText(/Set on/).waitFor()
  assert.equal(await page.getByText('Withdrawals are on hold').count(), 0)
  assert.match(await told(trader.email), /payment password is set/)
}

/** Mistypes the present one once; the right one then changes it and locks withdrawals for a day. */
async function changeIt(trader) {
  const { page } = trader
  await page.getByRole('link', { name: /Payment password/ }).click()
  await page.getByText(/Changing it puts withdrawals on hold for 24 hours/).waitFor()
  await page.getByLabel('Current payment password', { exact: true }).fill('000001')
  await trader.newPaymentPassword(SECOND)
  await trader.button('Change payment password').click()
  await page.getByText(/Wrong payment password. Attempts left: 4/).waitFor()
  await page.getByLabel('Current payment password', { exact: true }).fill(FIRST)
  await trader.button('Change payment password').click()
  await page.getByRole('heading', { name: 'Withdrawals are on hold' }).waitFor()
  await page.getByText('The payment password was changed', { exact: true }).waitFor()
  assert.match(await page.getByRole('timer').first().textContent(), /^2[34]:\d\d:\d\d$/)
  assert.match(await told(trader.email), /payment password was changed/)
}

/** Mistypes it until it is locked. */
async function lockIt(trader) {
  const { page } = trader
  await trader.go('/modifyPayPassword')
  await page.getByLabel('New payment password', { exact: true }).fill('604817')
  await page.getByLabel('Confirm new payment password', { exact: true }).fill('604817')
  await page.getByLabel('Verification code').fill('000000')
  for (const left of [4, 3, 2, 1]) {
    await page.getByLabel('Current payment password', { exact: true }).fill(FIRST)
    await trader.button('Change payment password').click()
    await page.getByText(`Attempts left: ${left}.`).waitFor()
  }
  await trader.button('Change payment password').click()
  await page.getByRole('heading', { name: 'Locked after 5 failed attempts' }).waitFor()
  assert.match(await told(trader.email), /locked for 30 minutes/)
  await trader.button('I forgot it').click()
  await page.getByLabel('Login password', { exact: true }).waitFor()
}

// Two at a time: they mostly wait.
describe('a payment password', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    test(`a payment password is set, mistyped, changed and locked at ${width}`, async () => {
      const trader = await new Trader(browser, server, `sam${width}@trader.example`, width).open()
      try {
        await trader.register()
        await setIt(trader)
        await changeIt(trader)
        await lockIt(trader)
        assert.deepEqual(trader.problems, [])
      } catch (error) {
        await trader.page
          .screenshot({ path: join(tmpdir(), `candor-security-${width}.png`) })
          .catch(() => {})
        throw error
      }
      await trader.close()
    })
  }
})

/** Checks a page at phone and desktop width, then restores its width. */
async function look(page, name) {
  const before = page.viewportSize()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await checkBothThemes(page, `${name} at ${width}`)
    await picture(page, name)
  }
  await page.setViewportSize(before)
}

/** Goes from the log-in by keyboard; the address typed there is already filled in. */
async function forget(visitor) {
  const { page } = visitor
  await visitor.go('/login')
  await page.getByLabel('Email address').fill(visitor.email)
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.press('Tab') // to the show-password button
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
  assert.equal(await page.getByLabel('Email address').inputValue(), visitor.email)
  await page.getByText(/logs out all devices and puts withdrawals on hold for 24 hours/).waitFor()
}

/** Sets the new password and continues to the log-in, where the address is filled in. */
async function replace(visitor) {
  const { page } = visitor
  await page.getByLabel('New password', { exact: true }).fill(REPLACED)
  await page.keyboard.press('Enter')
  const done = page.getByRole('status').filter({ hasText: 'Your password was reset' })
  await done.getByText('All devices were logged out.').waitFor()
  await done.getByText(/withdrawals are on hold for 24 hours/).waitFor()
  assert.match(await told(visitor.email), /password was reset/)
  await look(page, 'forgetPwd-done')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  assert.equal(await page.getByLabel('Email address').inputValue(), visitor.email)
}

/** Logs in with the filled-in address. */
async function logIn({ page }, password) {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

/** Checks that the log-in refuses the old password. */
async function refused(visitor) {
  await logIn(visitor, PASSWORD)
  await visitor.page.getByText('Wrong account or password.').waitFor()
}

/** Checks that the trader is logged in and has a withdrawal lock for this reason. */
async function heldFor(trader, reason) {
  const { page } = trader
  await page.waitForURL((url) => url.hash.startsWith('#/home/index'))
  await trader.go('/securitySet')
  await page.getByRole('heading', { name: 'Withdrawals are on hold' }).waitFor()
  await page.getByText(reason, { exact: true }).waitFor()
}

/** Opens a trader who is logged in on one device, and as a visitor on another. */
async function twoDevices(email, width) {
  const trader = await new Trader(browser, server, email, width).open()
  await trader.register()
  const visitor = await new Trader(browser, server, email, width).open()
  return { trader, visitor }
}

/** Checks that the device was logged out. */
async function loggedOut({ page }) {
  await page.reload()
  await page.waitForFunction(() => localStorage.getItem('token') === null)
  await page.goto(`${server.url}/mark.svg`) // a page without the app
}

test('a forgotten password is replaced with a code, and every device is logged out', async () => {
  const { trader, visitor } = await twoDevices('fay@trader.example', 390)
  await forget(visitor)
  await look(visitor.page, 'forgetPwd')
  await visitor.sendCode()
  await replace(visitor)
  await loggedOut(trader)
  await refused(visitor)
  await look(visitor.page, 'login-refused')
  await logIn(visitor, REPLACED)
  // The account does not know this device.
  await visitor.page.getByText('Sent. The code works for 10 minutes.').waitFor()
  await visitor.page.getByLabel('Verification code').fill(await codeFor(server, visitor.email))
  await visitor.button('Confirm').click()
  await heldFor(visitor, 'A new device logged in')
  assert.deepEqual([...trader.problems, ...visitor.problems], [])
  await trader.close()
  await visitor.close()
})

test('an address that nobody has gets the same answer, and nothing else', async () => {
  const visitor = await new Trader(browser, server, 'nobody@trader.example').open()
  const { page } = visitor
  await forget(visitor)
  await visitor.button('Send code').click()
  await page.getByText(/If the account exists.* The code works for 10 minutes/).waitFor()
  await page.getByLabel('Verification code').fill('482915')
  await page.getByLabel('New password', { exact: true }).fill(REPLACED)
  await page.keyboard.press('Enter')
  await page.getByText(/The code is wrong or has expired/).waitFor()
  await look(page, 'forgetPwd-refused')
  const { stdout } = await server.candor('outbox', '--json', '--to', visitor.email)
  assert.deepEqual(JSON.parse(stdout), [])
  await visitor.close()
})

test('staff have a code sent, which leads to the same and which they do not see', async () => {
  const rick = await comeToDesk(browser, server, 'rick')
  const { trader, visitor } = await twoDevices('kim@trader.example', 1440)
  const { page } = rick
  await page.goto(`${server.url}/admin/traders?q=${trader.email}`)
  await page.locator('main a[href^="/admin/traders/"]').first().click()
  await page.getByRole('button', { name: 'Send a password reset…' }).click()
  await rick.dialog().getByLabel('Reason').fill('Kim called from the number on file.')
  await look(page, 'desk-reset')
  await rick.dialog().getByRole('button', { name: 'Send reset' }).click()
  await page.getByText('Password reset sent by staff').first().waitFor()
  const code = await codeFor(server, trader.email)
  assert.ok(!(await page.content()).includes(code))
  await forget(visitor)
  await visitor.page.getByLabel('Verification code').fill(code)
  await replace(visitor)
  await refused(visitor)
  await loggedOut(trader)
  await trader.go('/login')
  await trader.page.getByLabel('Email address').fill(trader.email)
  await logIn(trader, REPLACED)
  await heldFor(trader, 'The login password was changed')
  assert.deepEqual([...trader.problems, ...visitor.problems, ...rick.problems], [])
})
