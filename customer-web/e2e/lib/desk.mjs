// Drives the back office as staff do.
import { createHmac } from 'node:crypto'
import { picture } from './pictures.mjs'
import { skipWait, waitFor } from './server.mjs'

/** The password of everybody who was hired. */
export const PASSWORD = 'a sentence that nobody guesses'
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

function decode32(text) {
  let bits = ''
  for (const letter of text.replace(/[\s=]/g, ''))
    bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0')
  return Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)))
}

/** The code that an authenticator shows for a secret at a time (RFC 6238, SHA-1, 6 digits, 30 s). */
export function totp(secret, at = Date.now()) {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)))
  const hash = createHmac('sha1', decode32(secret)).update(counter).digest()
  const offset = hash[19] & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const VIOLATION = 'policy violation: '

/** Runs in the page before its own scripts: writes each violation of the content policy to the console. */
function reportViolations(prefix) {
  document.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber, sample } = event
    const part = event.target instanceof Element ? event.target.outerHTML.slice(0, 200) : ''
    console.error(
      `${prefix}${[effectiveDirective, blockedURI, sourceFile, lineNumber, sample, part].join(' ')}`,
    )
  })
}

/** A member of staff with a separate browser. */
export class Member {
  constructor(browser, server, name, email) {
    Object.assign(this, { browser, server, name, email })
  }

  /** Opens the browser; `options` are further options of newContext. */
  async open(options = {}) {
    const viewport = { width: 1440, height: 900 }
    this.context = await this.browser.newContext({ viewport, ...options })
    this.page = await this.context.newPage()
    this.problems = []
    this.page.on('pageerror', (error) => this.problems.push(error.message))
    this.page.on('console', (message) => {
      if (message.text().startsWith(VIOLATION)) this.problems.push(message.text())
    })
    await this.page.addInitScript(reportViolations, VIOLATION)
    return this
  }

  /** Returns an unused code: it skips the thirty seconds since the last one. */
  async code() {
    if (this.enrolled) await skipWait(this.server, 'authenticators')
    this.enrolled = true
    return totp(this.secret)
  }

  /** Uses a one-time link: enters name and email where asked, and sets up an authenticator. */
  async enrol(path) {
    const { page } = this
    await page.goto(this.server.url + path)
    const name = page.getByLabel('Name', { exact: true })
    if (await name.count()) {
      await name.fill(this.name)
      await page.getByLabel('Email').fill(this.email)
    }
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await this.setUpAuthenticator()
  }

  /** Sets up the authenticator whose secret the page shows, and is signed in. */
  async setUpAuthenticator() {
    const { page } = this
    const code = page.getByLabel('Code from the app')
    await code.waitFor()
    const text = await page.evaluate(() => document.body.innerText)
    this.secret = /\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/.exec(text)[0]
    await code.fill(await this.code())
    await page.getByRole('button', { name: 'Finish and sign in' }).click()
    await page.waitForURL(`${this.server.url}/admin`)
  }

  /** Enters email and password; the second step follows. */
  async enterPassword() {
    const { page } = this
    await page.goto(`${this.server.url}/admin/signin`)
    await page.getByLabel('Email').fill(this.email)
    await page.getByLabel('Password').fill(this.password ?? PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Authenticator code').waitFor()
  }

  /** Enters the password and a fresh code. */
  async signIn() {
    await this.enterPassword()
    await this.page.getByLabel('Authenticator code').fill(await this.code())
    await this.page.getByRole('button', { name: 'Sign in' }).click()
    await this.page.waitForURL(`${this.server.url}/admin`)
  }

  async signOut() {
    await this.page.goto(`${this.server.url}/admin`)
    await this.page.getByRole('button', { name: 'Sign out' }).click()
    await this.page.waitForURL(`${this.server.url}/admin/signin`)
  }

  /** Opens a one-time link for a new authenticator and sets it up. */
  async replaceAuthenticator() {
    await this.page.getByLabel('Password').fill(PASSWORD)
    await this.page.getByRole('button', { name: 'Continue' }).click()
    await this.setUpAuthenticator()
  }

  /** Closes the browser; the result is what a later one needs to be signed in as the same person. */
  async leave() {
    const { cookies } = await this.context.storageState()
    await this.context.close()
    return { name: this.name, secret: this.secret, cookies }
  }

  dialog() {
    return this.page.getByRole('dialog')
  }

  /** Invites a colleague, who opens the mailed link in a separate browser. */
  async invite(name, email, options) {
    const { page } = this
    await page.goto(`${this.server.url}/admin/staff`)
    await page.getByRole('button', { name: 'Invite' }).click()
    await this.dialog().getByLabel('Name').fill(name)
    await this.dialog().getByLabel('Email').fill(email)
    await this.typeCode()
    await this.dialog().getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText(`The invitation to ${email} is in the outbox`).waitFor()
    const colleague = await new Member(this.browser, this.server, name, email).open(options)
    await colleague.enrol(await mailedLink(this.server, email))
    return colleague
  }

  /** Opens a colleague's page. */
  async see(name) {
    await this.page.goto(`${this.server.url}/admin/staff`)
    await this.page.getByRole('link', { name }).first().click()
    await this.page.getByRole('button', { name: 'Assign a role' }).waitFor()
  }

  async giveRole(name, role) {
    await this.see(name)
    await this.page.getByRole('button', { name: 'Assign a role' }).click()
    await this.dialog().getByLabel('Role').selectOption(role)
    await this.typeCode()
    await this.dialog().getByRole('button', { name: 'Assign role' }).click()
    await this.dialog().waitFor({ state: 'hidden' })
  }

  /** Grants, as the second person, a role that another super admin requested. */
  async grant(name, role) {
    await this.see(name)
    await this.page
      .getByRole('button', { name: /^Grant/ })
      .first()
      .click()
    await this.typeCode()
    await this.dialog()
      .getByRole('button', { name: `Grant ${role}` })
      .click()
    await this.dialog().waitFor({ state: 'hidden' })
  }

  /** Hires a second super admin, who grants the roles that the first one requests. */
  async inviteSecond() {
    const second = await this.invite('Bea Berg', 'bea@desk.example')
    await this.giveRole('Bea Berg', 'super_admin')
    return second
  }

  /** Invites a person and gives them a role that needs two people: one super admin requests it, another grants it. */
  async hire(second, name, email, role, roleName) {
    const colleague = await this.invite(name, email)
    await this.giveRole(name, role)
    await second.grant(name, roleName)
    return colleague
  }

  /** Hires a finance maker, with a checker who confirms their approvals. */
  async inviteCashier(name, email) {
    const second = await this.inviteSecond()
    const cashier = await this.hire(second, name, email, 'finance_maker', 'Finance maker')
    cashier.checker = await this.hire(
      second,
      'Chen Checker',
      'chen@desk.example',
      'finance_checker',
      'Finance checker',
    )
    await second.context.close()
    return cashier
  }

  /** Enters new terms into the open dialog, by label, and reviews the change. */
  async draftTerms(terms, reason) {
    for (const [label, value] of Object.entries(terms))
      await this.dialog().getByLabel(label, { exact: true }).fill(value)
    await this.dialog().getByLabel('Reason').fill(reason)
    await this.dialog().getByRole('button', { name: 'Review change' }).click()
    await this.dialog().getByRole('button', { name: 'Request change' }).waitFor()
  }

  /** Requests new terms of a product, which another person must approve. */
  async askTerms(product, terms, reason) {
    await this.page.goto(`${this.server.url}/admin/products/${product}`)
    await this.page.getByRole('button', { name: 'Change terms' }).click()
    await this.dialog().waitFor()
    await this.draftTerms(terms, reason)
    await this.dialog().getByRole('button', { name: 'Request change' }).click()
    await this.dialog().waitFor({ state: 'hidden' })
  }

  /** Claims the open case and waits until its approval is enabled. */
  async claim() {
    await this.page
      .getByRole('button', { name: /^Claim/ })
      .last()
      .click()
    await this.page.getByRole('button', { name: /^Approve/, disabled: false }).waitFor()
  }

  /** Enters a fresh code into the open dialog, unless an earlier one covers its decision. */
  async typeCode() {
    const field = this.dialog().getByLabel('Authenticator code')
    if ((await field.evaluate((element) => element.tagName)) === 'OUTPUT') return
    await field.fill(await this.code())
  }

  /** Claims a deposit and approves it with the values of the bank statement. Its trader is not verified yet, so the checker confirms it. */
  async approveDeposit(number, amount, bankReference) {
    const { page } = this
    await page.goto(`${this.server.url}/admin/deposits`)
    await page.getByRole('link', { name: number }).first().click()
    // The list has a claim button too.
    await page.waitForURL(/\/admin\/deposits\/\d+/)
    await this.claim()
    await page.getByRole('button', { name: /^Approve/ }).click()
    await this.dialog().getByLabel('Received amount').fill(amount)
    await this.dialog().getByLabel('Bank reference').fill(bankReference)
    await this.dialog().getByLabel('Sender’s name').fill('Example Payer')
    await this.dialog().getByText('The sender could not be confirmed as the trader').waitFor()
    await this.typeCode()
    await picture(page, 'desk-deposit-first')
    await this.dialog()
      .getByRole('button', { name: /^Approve/ })
      .click()
    await page.getByText(new RegExp(`${number} approved, 1 of 2`)).waitFor()
    await this.checker.confirmDeposit(number, bankReference)
  }

  /** Claims a deposit approved by a maker, and approves it as the second person. */
  async confirmDeposit(number, bankReference) {
    const { page } = this
    await page.goto(`${this.server.url}/admin/deposits/${number.replace('DP-', '')}`)
    await this.claim()
    await page.getByRole('button', { name: /^Approve/ }).click()
    await this.dialog().getByLabel('Last 4 of the bank reference').fill(bankReference.slice(-4))
    await this.typeCode()
    await picture(page, 'desk-deposit-second')
    await this.dialog()
      .getByRole('button', { name: /^Approve/ })
      .click()
    await page.getByText(new RegExp(`${number} approved, 2 of 2`)).waitFor()
  }

  /** Opens a withdrawal in any state. */
  async openWithdrawal(number) {
    await this.page.goto(`${this.server.url}/admin/withdrawals/${number.replace('WD-', '')}`)
    await this.page.getByRole('heading', { name: number }).waitFor()
  }

  /** Claims a withdrawal and approves it with a fresh code; the second person also enters the end of the address. */
  async approveWithdrawal(number, { proof, pictured = false } = {}) {
    const { page } = this
    await this.openWithdrawal(number)
    await this.claim()
    if (pictured) await picture(page, `desk-withdrawal-${proof ? 'second' : 'first'}`)
    await page.getByRole('button', { name: /^Approve/ }).click()
    if (proof) await this.dialog().getByLabel('Last 4 of the address').fill(proof)
    await this.typeCode()
    if (pictured) await picture(page, `desk-approval-${proof ? 'second' : 'first'}`)
    await this.dialog()
      .getByRole('button', { name: /^Approve/ })
      .click()
    await page.getByText(new RegExp(`${number} approved`)).waitFor()
  }

  /** Asks for a feature to be switched on; `approver` approves it. */
  async switchOn(approver, key) {
    const address = `${this.server.url}/admin/switches/${key}`
    await this.page.goto(address)
    await this.page.getByRole('button', { name: 'Change…' }).click()
    const dialog = this.dialog()
    await dialog.getByLabel('Value', { exact: true }).selectOption('true')
    await dialog.getByLabel('Reason').fill('The board decided so on Friday.')
    await dialog.getByRole('button', { name: 'Review changes' }).click()
    await dialog.getByRole('button', { name: 'Request approval' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await approver.page.goto(address)
    await approver.page.getByRole('button', { name: 'Approve…' }).click()
    await approver.dialog().getByLabel('Type the key to confirm').fill(key)
    await approver.dialog().getByRole('button', { name: 'Approve', exact: true }).click()
    await approver.dialog().waitFor({ state: 'hidden' })
  }

  /** Claims the only verification case, accepts its pictures, matches its data and approves it. */
  async approveIdentity() {
    const { page } = this
    await page.goto(`${this.server.url}/admin/identity`)
    await page.locator('[data-row] a').first().click()
    await page.getByRole('button', { name: 'Claim' }).first().click()
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll('[data-review] img')]
      return all.length > 1 && all.every((one) => one.complete && one.naturalWidth > 0)
    })
    for (const side of ['Front', 'Selfie']) {
      const one = page.locator('[data-picture]', { hasText: side })
      await one.getByRole('button', { name: 'Accept' }).click()
      await one.locator('[data-judged="Accepted"]').waitFor({ state: 'attached' })
    }
    await page.getByRole('button', { name: 'All match' }).click()
    await page.getByText('6 of 6 fields marked').waitFor()
    await page.getByRole('button', { name: 'Approve and next' }).click()
    await this.dialog().getByRole('button', { name: 'Approve and open next' }).click()
    await page.getByText(/ID-\d+ is approved/).waitFor()
  }
}

/** The path of the newest link mailed to an address. */
export async function mailedLink(server, address) {
  return waitFor(async () => {
    const { stdout } = await server.candor('outbox', '--json', '--to', address)
    const [newest] = JSON.parse(stdout)
    return newest && /https?:\/\/[^/\s]+(\/admin\/\S+)/.exec(newest.body)?.[1]
  })
}
