// A trader changes the password, the e-mail address and the security phrase, signs a device out while its socket is open, and reads what happened;
// somebody who registers with the address is told that it has an account. On a desktop and on a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { codeFor, skipWait, startServer, waitFor } from './lib/server.mjs'
import { PASSWORD, Trader } from './lib/trader.mjs'

const CHANGED = 'another horse with a better battery'
const PHRASE = 'blue heron at noon'

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

async function mailsTo(address) {
  const { stdout } = await server.candor('outbox', '--json', '--to', address)
  return JSON.parse(stdout)
}

async function look(trader, name) {
  await picture(trader.page, name)
  await checkBothThemes(trader.page, `${name} at ${trader.width}`)
}

/** Opens the same account in a second browser. */
async function comeAgain(first, password = PASSWORD) {
  const other = await new Trader(browser, server, first.email, first.width).open()
  const { page } = other
  await other.go('/login')
  await page.getByLabel('Email address').fill(first.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await skipWait(server, 'codes')
  await page.getByRole('button', { name: 'Log in', exact: true }).last().click()
  await page.getByText(/The code works for 10 minutes/).waitFor()
  await page.getByLabel('Verification code').fill(await codeFor(server, first.email))
  await other.button('Confirm').click()
  await page.waitForURL((url) => !url.hash.startsWith('#/login'))
  return other
}

/** Waits until a page asks for a new log-in because its session ended. */
async function isSignedOut({ page, phone }) {
  if (phone) await page.waitForURL((url) => url.hash.startsWith('#/login'), { timeout: 5_000 })
  else await page.getByText('Your session has ended').first().waitFor({ timeout: 5_000 })
}

async function setPhrase(trader) {
  const { page } = trader
  await trader.go('/securitySet')
  await page.getByRole('button', { name: /Security phrase/ }).waitFor()
  await look(trader, 'security-set')
  await page.getByRole('button', { name: /Security phrase/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Phrase', { exact: true }).fill('abc')
  await sheet.getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await trader.button('Save phrase').click()
  await sheet.getByText('Use 4 to 40 characters.').waitFor()
  await sheet.getByLabel('Phrase', { exact: true }).fill(PHRASE)
  await look(trader, 'phrase')
  await trader.button('Save phrase').click()
  await trader.heard(/Security phrase saved/)
  const [newest] = await mailsTo(trader.email)
  assert.ok(newest.body.startsWith(`Your security phrase: ${PHRASE}`), newest.body)
}

/** The moments at which the page's sockets close. */
function closings(page) {
  const times = []
  page.on('websocket', (socket) => socket.on('close', () => times.push(Date.now())))
  return times
}

/** Signs the other device out; its open page loses its socket and asks for a new log-in by itself. */
async function signOutOther(trader) {
  const { page } = trader
  const other = await comeAgain(trader)
  const closed = closings(other.page)
  const open = other.page.waitForEvent('websocket')
  await other.go('/securitySet')
  await other.page.reload()
  await open
  await other.page.getByRole('button', { name: /Security phrase/ }).waitFor()
  await trader.go('/deviceManagement')
  await page.getByText('This device').waitFor()
  await page.getByRole('button', { name: 'Log out all other devices' }).waitFor()
  await look(trader, 'devices')
  await page
    .getByRole('button', { name: /^Log out (?!all)/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('It is logged out at once, even on pages that are open now.').waitFor()
  await sheet.getByLabel('Login password', { exact: true }).fill('not my password')
  await sheet.getByRole('button', { name: 'Log out' }).click()
  await sheet.getByText('Your login password is wrong.').waitFor()
  await sheet.getByLabel('Login password', { exact: true }).fill(PASSWORD)
  await look(trader, 'device-sign-out')
  const answered = page.waitForResponse((response) => response.url().endsWith('/deleteDevice'))
  const before = closed.length
  await sheet.getByRole('button', { name: 'Log out' }).click()
  await answered
  const ended = Date.now()
  await isSignedOut(other)
  assert.ok(closed.length > before, 'the socket has closed')
  assert.ok(closed[before] - ended < 1_000, `after ${closed[before] - ended} ms`)
  await page.getByText('Your account is used on this device only.').waitFor()
  await other.close()
}

async function changePassword(trader) {
  const { page } = trader
  const other = await comeAgain(trader)
  await other.go('/home/index')
  await trader.go('/modifyPassword')
  await page.getByText(/Withdrawals are on hold for 24 hours after the change/).waitFor()
  await page.getByLabel('Current password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New password', { exact: true }).fill('password1')
  await trader.sendCode()
  await trader.button('Change password').click()
  await page
    .getByText(/too common|easy to guess|often used/i)
    .first()
    .waitFor()
  await page.getByLabel('New password', { exact: true }).fill(CHANGED)
  await look(trader, 'modify-password')
  await trader.button('Change password').click()
  await trader.heard(/Password changed/)
  await isSignedOut(other)
  await page.getByText('The login password was changed').waitFor()
  await other.close()
}

/** Moves the account to another address; both are told. */
async function changeMail(trader) {
  const { page } = trader
  const before = trader.email
  const next = before.replace('@', '.new@')
  await trader.go('/bindContact?kind=phone')
  await page.getByRole('button', { name: 'Add phone number' }).waitFor()
  await look(trader, 'bind-phone')
  await trader.go('/bindContact?kind=mail')
  await page.getByText(/Withdrawals are on hold for 72 hours after the change/).waitFor()
  assert.equal(await page.getByRole('tab').count(), 0)
  await page.getByLabel('Login password', { exact: true }).fill(CHANGED)
  await skipWait(server, 'codes')
  const send = page.getByRole('button', { name: /^Send (code|again)$/ })
  await send.first().click()
  await page
    .getByText(/The code works for 10 minutes/)
    .first()
    .waitFor()
  await page
    .getByLabel('Code to confirm it’s you', { exact: true })
    .fill(await codeFor(server, before))
  await page.getByLabel('New email address', { exact: true }).fill(next)
  await send.last().click()
  await page
    .getByText(/The code works for 10 minutes/)
    .nth(1)
    .waitFor()
  const code = await codeFor(server, next)
  const newCode = page.getByLabel('Code from the new email address', { exact: true })
  await newCode.fill(code === '123456' ? '654321' : '123456')
  await trader.button('Change email address').click()
  await page.getByText(/Check the message to your new contact/).waitFor()
  await newCode.fill(code)
  await look(trader, 'bind-contact')
  await trader.button('Change email address').click()
  await page.getByText('Email address saved').waitFor()
  await look(trader, 'bind-contact-done')
  await page.getByRole('link', { name: 'Back to security' }).click()
  await page.getByText('The email address or phone number was changed').waitFor()
  for (const address of [before, next]) {
    const [newest] = await mailsTo(address)
    assert.match(newest.subject, /contact details were changed/)
    assert.ok(newest.body.startsWith(`Your security phrase: ${PHRASE}`))
  }
  trader.email = next
  const again = await comeAgain(trader, CHANGED)
  await again.close()
}

async function readEvents(trader) {
  const { page } = trader
  await trader.go('/securityEvents')
  for (const kind of [
    'Email address or phone number changed',
    'Logged in from a new device',
    'Wrong code',
    'Login password changed',
    'Device logged out',
    'Security phrase set',
  ])
    await page.getByText(kind, { exact: true }).first().waitFor()
  await page.getByText('Check this').first().waitFor()
  await look(trader, 'security-events')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /CSV/ }).click(),
  ])
  const rows = await waitFor(async () => {
    const { readFile } = await import('node:fs/promises')
    return (await readFile(await download.path(), 'utf8')).trim().split('\n')
  })
  assert.match(rows[0], /event,time,kind,by,ip,device,country,city,about/)
  assert.ok(rows.some((row) => row.includes('change_contact,trader,127.0.0.1')))
}

/** Who registers with the address of an account is told where to log in. */
async function isKnownAtSignUp(trader) {
  const visitor = await new Trader(browser, server, trader.email, trader.width).open()
  const { page } = visitor
  await visitor.go('/register')
  await page.getByLabel('Email address').fill(trader.email)
  await page.keyboard.press('Tab')
  await page.getByText('This email address already has an account.').waitFor()
  await look(visitor, 'register-known')
  await page.getByRole('status').getByRole('link', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/login'))
  assert.equal(await page.getByLabel('Email address').inputValue(), trader.email)
  assert.deepEqual(visitor.problems, [])
  await visitor.close()
}

describe('what guards an account', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    test(`it is changed, and its owner told, at ${width}`, async () => {
      const trader = await new Trader(browser, server, `gil${width}@trader.example`, width).open()
      try {
        await trader.register()
        await setPhrase(trader)
        await signOutOther(trader)
        await changePassword(trader)
        await changeMail(trader)
        await readEvents(trader)
        await isKnownAtSignUp(trader)
        assert.deepEqual(trader.problems, [])
      } catch (error) {
        await trader.page
          .screenshot({ path: join(tmpdir(), `candor-security-settings-${width}.png`) })
          .catch(() => {})
        throw error
      }
      await trader.close()
    })
  }
})
