// A member of staff ends sessions of theirs in other browsers and changes the password, which ends them too; somebody with the password guesses codes.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { PASSWORD } from './lib/desk.mjs'
import { inChinese, picture } from './lib/pictures.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { comeAnew } from './lib/staff.mjs'

const NEW_PASSWORD = 'another sentence that nobody guesses'

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

/** Checks and captures the page of a member on a desktop and on a phone. */
async function look({ page }, name) {
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ]) {
    await page.setViewportSize({ width, height })
    await picture(page, `staff-account-${name}`)
    await checkBothThemes(page, `${name} at ${width}`)
    if (name === 'sessions') await inChinese(page, `staff-account-${name}`)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${name} scrolls sideways at ${width}`)
  }
}

const kindsTo = async (email) =>
  JSON.parse((await server.candor('outbox', '--json', '--to', email)).stdout).map(
    ({ kind }) => kind,
  )

const mailed = (member, kind) =>
  waitFor(async () => (await kindsTo(member.email)).includes(kind) || undefined)

async function openAccount({ page }) {
  await page.goto(`${server.url}/admin/account`)
  await page.getByRole('heading', { name: 'Your account' }).first().waitFor()
}

/** The member in another browser, signed in a moment later. */
async function another(member) {
  const other = await comeAnew(browser, server, 'mia')
  other.password = member.password
  await other.signIn()
  return other
}

async function requireSignedOut({ page, context }) {
  await page.goto(`${server.url}/admin/account`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await context.close()
}

const endButtons = ({ page }) => page.getByRole('button', { name: 'End', exact: true })

async function endOne(member) {
  const other = await another(member)
  await mailed(member, 'staff_new_sign_in')
  await openAccount(member)
  assert.equal(await member.page.getByText('This browser', { exact: true }).count(), 1)
  await look(member, 'sessions')
  await endButtons(member).first().focus()
  await member.page.keyboard.press('Enter')
  await member.page.getByText('Session ended.').waitFor()
  await requireSignedOut(other)
}

async function endOthers(member) {
  const others = [await another(member), await another(member)]
  await openAccount(member)
  await member.page.getByRole('button', { name: 'End all others' }).click()
  await member.page.getByText('All your other sessions have ended.').waitFor()
  assert.equal(await endButtons(member).count(), 0)
  for (const other of others) await requireSignedOut(other)
}

async function fillPasswords(member, current, next) {
  await member.dialog().getByLabel('Current password').fill(current)
  await member.dialog().getByLabel('New password').fill(next)
  await member.typeCode()
  await member.dialog().getByRole('button', { name: 'Change password' }).click()
}

async function changePassword(member) {
  const { page } = member
  const other = await another(member)
  await openAccount(member)
  await page.getByRole('button', { name: 'Change password…' }).click()
  await member.dialog().getByLabel('Current password').waitFor()
  await look(member, 'password')
  await fillPasswords(member, 'not the password', NEW_PASSWORD)
  await member.dialog().getByText('The current password is wrong.').waitFor()
  await look(member, 'password-wrong')
  await page.keyboard.press('Escape')
  await member.dialog().waitFor({ state: 'hidden' })
  await page.waitForFunction(
    () => document.activeElement?.textContent?.trim() === 'Change password…',
  )
  await page.keyboard.press('Enter')
  await member.dialog().getByLabel('Current password').waitFor()
  await fillPasswords(member, PASSWORD, PASSWORD)
  await member.dialog().getByText('Choose a password that differs from the current one.').waitFor()
  await fillPasswords(member, PASSWORD, NEW_PASSWORD)
  await page.getByText('Password changed. Your other sessions have ended.').waitFor()
  await mailed(member, 'staff_password_changed')
  await requireSignedOut(other)
}

async function signInWithTheNewOne(member) {
  const { page } = member
  await member.signOut()
  await page.getByLabel('Email').fill(member.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()
  member.password = NEW_PASSWORD
  await member.signIn()
}

/** Somebody with the password guesses codes: the member is told, and goes on working. */
async function guessCodes(member) {
  const stranger = await comeAnew(browser, server, 'mia')
  stranger.password = member.password
  await stranger.enterPassword()
  const { page } = stranger
  for (const refusal of [...Array(5).fill(/wrong or already used/), /Too many failed attempts/]) {
    await page.getByLabel('Authenticator code').fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: refusal }).waitFor()
  }
  await stranger.context.close()
  await mailed(member, 'staff_wrong_codes')
  await openAccount(member)
  await member.page.getByRole('button', { name: 'Change password…' }).click()
  await fillPasswords(member, NEW_PASSWORD, PASSWORD)
  await member.page.getByText('Password changed.').waitFor()
}

/** Wrong codes before an act sign the member out, and the sign-in page says why. */
async function enterWrongCodes(member) {
  const { page } = member
  await page.getByRole('button', { name: 'Change password…' }).click()
  for (let left = 4; left >= 0; left--) {
    const dialog = member.dialog()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByLabel('New password').fill(NEW_PASSWORD)
    await dialog.getByLabel('Authenticator code').fill('000000')
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await answer
    if (left) await dialog.getByText('The code is wrong or already used.').waitFor()
  }
  await page.getByText('too many wrong codes were entered').waitFor()
  await look(member, 'signed-out')
}

describe('a member’s own account', () => {
  test('sessions and the password', async () => {
    const member = await comeAnew(browser, server, 'mia')
    try {
      await member.signIn()
      await endOne(member)
      await endOthers(member)
      await changePassword(member)
      await signInWithTheNewOne(member)
      await guessCodes(member)
      await enterWrongCodes(member)
      assert.deepEqual(member.problems, [])
    } catch (error) {
      await member.page
        .screenshot({ path: join(tmpdir(), 'candor-staff-account.png') })
        .catch(() => {})
      throw error
    }
    await member.context.close()
  })
})
