// A member of staff adds a passkey, signs in and approves a deposit with it, and removes it; a super admin prints recovery codes, loses the authenticator, and
// comes back with one.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { mailedLink } from './lib/desk.mjs'
import { atDomain, giveAuthenticator } from './lib/passkey.mjs'
import { inChinese, picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeAnew } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

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

/** Checks and captures the page of a member on a desktop and on a phone. */
async function look({ page }, name) {
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ]) {
    await page.setViewportSize({ width, height })
    await picture(page, `staff-${name}`)
    await checkBothThemes(page, `${name} at ${width}`)
    if (name.startsWith('account')) await inChinese(page, `staff-${name}`)
  }
}

async function journey(who, act) {
  const member = await comeAnew(browser, server, who)
  try {
    await member.signIn()
    await act(member, member.page)
    assert.deepEqual(member.problems, [])
  } catch (error) {
    await member.page
      .screenshot({ path: join(tmpdir(), `candor-staff-passkey-${who}.png`) })
      .catch(() => {})
    throw error
  }
  await member.context.close()
}

const pressPasskey = (place) => place.getByRole('button', { name: 'Use passkey' }).click()

/** Opens the member's own account by their name in the navigation. */
async function openAccount(member) {
  await member.page.goto(`${server.url}/admin`)
  await member.page.getByRole('link', { name: member.name }).click()
  await member.page.getByRole('heading', { name: 'Your account' }).first().waitFor()
}

async function addPasskey(member, key) {
  const { page } = member
  await openAccount(member)
  await look(member, 'account')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await member.dialog().getByLabel('Name').fill('Work laptop')
  await member.typeCode()
  await look(member, 'passkey-new')
  await member.dialog().getByRole('button', { name: 'Continue' }).click()
  await member.dialog().getByText('Your browser asks where to keep the passkey').waitFor()
  await look(member, 'passkey-create')
  await key.verifies(false)
  await member.dialog().getByRole('button', { name: 'Create passkey' }).click()
  await member.dialog().getByText('No passkey was created').waitFor()
  await key.verifies(true)
  await member.dialog().getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
  assert.equal((await key.credentials()).length, 1)
  await page.getByText(/not used yet/).waitFor()
}

async function signInByPasskey(member) {
  const { page } = member
  await member.signOut()
  await member.enterPassword()
  await look(member, 'signin-code')
  await pressPasskey(page)
  await page.waitForURL(`${server.url}/admin`)
}

/** Claims a deposit, fills in what the bank says, and approves it with a touch; a closed window approves nothing. */
async function approveByTouch(member, key, number) {
  const { page } = member
  await page.goto(`${server.url}/admin/deposits/${number.slice(3)}`)
  await member.claim()
  await page.getByRole('button', { name: /^Approve/ }).click()
  const dialog = member.dialog()
  await dialog.getByLabel('Received amount').fill('250')
  await dialog.getByLabel('Bank reference').fill('SP-77001')
  await dialog.getByLabel('Sender’s name').fill('Example Payer')
  await dialog.getByText('The sender could not be confirmed as the trader').waitFor()
  await key.verifies(false)
  await pressPasskey(dialog)
  await dialog.getByText('No passkey was used').waitFor()
  await look(member, 'passkey-dialog')
  await key.verifies(true)
  await pressPasskey(dialog)
  await page.getByText(new RegExp(`${number} approved, 1 of 2`)).waitFor()
}

async function removePasskey(member) {
  const { page } = member
  await openAccount(member)
  await page.getByRole('button', { name: 'Rename…' }).click()
  await member.dialog().getByLabel('Name').fill('Old laptop')
  await member.dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByText('Passkey renamed.').waitFor()
  await look(member, 'account-passkey')
  await page.getByRole('button', { name: 'Remove…' }).click()
  const touch = member.dialog().getByRole('button', { name: 'Use passkey' })
  await touch.waitFor()
  assert.ok(await touch.evaluate((button) => button === document.activeElement))
  await look(member, 'passkey-remove')
  await touch.press('Enter')
  await page.getByText('Passkey removed.').waitFor()
}

/** Creates recovery codes, which are shown once and print without the rest of the page. */
async function printCodes(member) {
  const { page } = member
  await openAccount(member)
  await page.getByText('No recovery codes', { exact: true }).waitFor()
  await look(member, 'account-admin')
  await page.getByRole('button', { name: 'Create recovery codes' }).click()
  await member.typeCode()
  await member.dialog().getByRole('button', { name: 'Create codes' }).click()
  await page.getByText('These codes are shown only now').waitFor()
  const codes = await page
    .getByRole('listitem')
    .filter({ hasText: /^[A-Z2-7]{4}-/ })
    .allTextContents()
  assert.equal(codes.length, 10)
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('navigation').first().isVisible(), false)
  assert.equal(await page.getByText(/^Candor back office recovery codes of/).isVisible(), true)
  await picture(page, 'staff-codes-print')
  await page.emulateMedia({ media: 'screen' })
  await look(member, 'codes')
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByText('10 codes are left.').waitFor()
  return codes
}

async function recover(member, code) {
  const { page } = member
  await member.signOut()
  await member.enterPassword()
  await page.getByRole('link', { name: 'Lost your authenticator?' }).click()
  await page.getByLabel('Recovery code').fill('AAAA-BBBB-CCCC-DDDD')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The code is wrong or was already used.').waitFor()
  await look(member, 'signin-recovery')
  await page.getByLabel('Recovery code').fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'New authenticator' }).waitFor()
  await member.replaceAuthenticator()
  await openAccount(member)
  await page.getByText('9 codes are left.').waitFor()
}

describe('second factors of staff', () => {
  test('a passkey beside the authenticator', async () => {
    const trader = await new Trader(browser, server, 'payer@trader.example', 390).open()
    await trader.register()
    const number = await trader.deposit('250')
    await trader.close()
    await journey('mia', async (member, page) => {
      const key = await giveAuthenticator(page)
      await addPasskey(member, key)
      await signInByPasskey(member)
      await approveByTouch(member, key, number)
      await removePasskey(member)
      await member.signOut()
      await member.enterPassword()
      await page.getByText('Lost your authenticator? Ask a super admin to reset it.').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Use passkey' }).count(), 0)
    })
  })

  test('a super admin comes back with a printed code', async () => {
    await journey('ada', async (member) => {
      const codes = await printCodes(member)
      await recover(member, codes[4].trim())
      assert.match(await mailedLink(server, 'bea@desk.example'), /^\/admin\/staff\/\d+$/)
      await member.signOut()
      await member.signIn()
    })
  })
})
