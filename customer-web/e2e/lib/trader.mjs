// Drives the trader app as traders do, in English.
import { deflateSync } from 'node:zlib'
import { codeFor, skipWait, waitFor } from './server.mjs'

export const PASSWORD = 'correct horse battery staple'

/** A trader with a separate browser; width 390 is a phone, 1440 a desktop. */
export class Trader {
  constructor(browser, server, email, width = 1440) {
    Object.assign(this, { browser, server, email, width, phone: width < 1024 })
  }

  /** Opens the browser; `options` are further options of newContext. */
  async open(options = {}) {
    const { phone } = this
    this.context = await this.browser.newContext({
      viewport: { width: this.width, height: phone ? 844 : 900 },
      hasTouch: phone,
      locale: 'en-GB',
      ...options,
    })
    await this.context.addInitScript(() => {
      if (!localStorage.getItem('locale')) localStorage.setItem('locale', 'en')
    })
    await this.context.addInitScript(keepMessages)
    this.page = await this.context.newPage()
    this.problems = []
    this.page.on('pageerror', (error) => this.problems.push(error.message))
    return this
  }

  async go(path) {
    await this.page.goto(`${this.server.url}/#${path}`)
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: false })
  }

  /** Types a day, given as yyyy-mm-dd, part by part, in whatever order the field has them. */
  async enterDate(label, day) {
    const field = this.page.getByRole('group', { name: label })
    const [year, month, date] = day.split('-')
    for (const [part, digits] of Object.entries({ Day: date, Month: month, Year: year })) {
      await field.getByRole('spinbutton', { name: part }).click()
      await this.page.keyboard.type(digits)
    }
  }

  /** Picks an option of a choice that opens in a menu. */
  async choose(within, field, option) {
    await within.getByRole('combobox', { name: field, exact: true }).click()
    await this.page.getByRole('option', { name: option, exact: true }).click()
  }

  /** Registers with a code from the outbox, by an invitation's link if there is one, and lands on the home page. */
  async register(path = '/register') {
    const { page } = this
    await this.go(path)
    await page.getByLabel('Email address').fill(this.email)
    await this.button('Send code').click()
    await page.getByLabel('Verification code').fill(await codeFor(this.server, this.email))
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Country of residence').click()
    await page.getByRole('dialog').getByRole('searchbox').fill('Switzerland')
    await page.getByRole('dialog').getByText('Switzerland').click()
    await page.getByLabel('I am 18 years old or older.').check()
    await page.getByLabel(/I accept the terms/).check()
    await this.button('Open account').click()
    await page.waitForURL((url) => url.hash.startsWith('#/home/index'))
  }

  /** Sets the first payment password and lands on the security page. */
  async setPaymentPassword(digits) {
    const { page } = this
    await this.go('/modifyPayPassword')
    await page.getByLabel('Login password', { exact: true }).fill(PASSWORD)
    await this.newPaymentPassword(digits)
    await this.button('Set payment password').click()
    await this.heard(/Payment password set/)
    await page.waitForURL((url) => url.hash.startsWith('#/securitySet'))
  }

  /** Saves an address and lands in the address book. */
  async saveAddress(digits, { network, address, name }) {
    const { page } = this
    await this.go('/addAddress')
    await page.locator('label').filter({ hasText: network }).click()
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await this.prove(digits)
    await this.button('Save address').click()
    await page.waitForURL((url) => url.hash.startsWith('#/addressManage'))
    await page.getByRole('heading', { name }).waitFor()
  }

  /** Saves a bank account in the trader's own name. */
  async saveBank(digits, { holder, iban, bic, bank, name }) {
    const { page } = this
    await this.go('/withdraw?step=account')
    for (const [label, text] of Object.entries({
      'Account holder': holder,
      IBAN: iban,
      'BIC / SWIFT': bic,
      Bank: bank,
      'Name for this account': name,
    }))
      await page.getByLabel(label, { exact: true }).fill(text)
    await this.prove(digits)
    await this.button('Save bank account').click()
    await page.getByText('Bank account saved').first().waitFor()
  }

  /** Fills in the payment password and a fresh withdrawal code. */
  async prove(digits) {
    const { page } = this
    await page.getByLabel('Payment password', { exact: true }).fill(digits)
    await this.sendCode()
  }

  /** Fills in a new payment password and a fresh code. */
  async newPaymentPassword(digits) {
    const { page } = this
    await page.getByLabel('New payment password', { exact: true }).fill(digits)
    await page.getByLabel('Confirm new payment password', { exact: true }).fill(digits)
    await this.sendCode()
  }

  /** Requests a code and fills it in; it skips the minute since the last code. */
  async sendCode() {
    const { page } = this
    await skipWait(this.server, 'codes')
    await page.getByRole('button', { name: /^Send (code|again)$/ }).click()
    await page.getByText(/The code works for 10 minutes/).waitFor()
    await page.getByLabel('Verification code').fill(await codeFor(this.server, this.email))
  }

  /** Switches to the other account: the demo account, which is opened on first use, or the real one. */
  async switchAccount() {
    const { page } = this
    await this.go('/switchAccount')
    const main = page.getByRole('main')
    await main.getByRole('button', { name: /^(Open demo account|Switch)$/ }).click()
    const before = await page.evaluate(() => localStorage.getItem('token'))
    // The app reloads 600 ms after the switch, so the listener must start before the click.
    await Promise.all([
      page.waitForEvent('load'),
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Open demo account|Switch)$/ })
        .click(),
      page.waitForFunction((token) => localStorage.getItem('token') !== token, before),
    ])
  }

  /** Opens the terminal with a product. */
  async terminal(productId) {
    await this.go(`/pc/trade?product=${productId}`)
    await this.page.getByRole('heading', { name: 'New order' }).waitFor()
  }

  /** Opens a product on the trade screen for this width. */
  async trade(productId) {
    await this.go(`${this.phone ? '/trade' : '/pc/trade'}?product=${productId}`)
    await this.page.getByRole('button', { name: /^Buy/ }).first().waitFor()
  }

  /** The order ticket: beside the chart on a desktop, in a sheet on a phone, where a side's button opens it. */
  async ticket(side = 'Buy') {
    if (!this.phone) return this.page.getByLabel('New order')
    await this.page
      .getByRole('button', { name: new RegExp(`^${side}`) })
      .last()
      .click()
    return this.page.getByRole('dialog')
  }

  /** Presses a button of the first position that matches words, such as "Buy 0.20". */
  async actOn(words, button) {
    const [side, lots] = words.split(' ')
    const one = (this.phone ? this.page.getByRole('article') : this.page.locator('tbody tr'))
      .filter({ hasText: side })
      .filter({ hasText: lots })
      .first()
    const act = one.getByRole('button', { name: button })
    await one.waitFor()
    if (this.phone && !(await act.isVisible())) await one.getByRole('button').first().click()
    await act.click()
  }

  /** Drags the chart's only line by its label: with the mouse, or with a finger on a phone. */
  async dragLine(distance) {
    const chart = this.page.getByRole('img', { name: /chart,/ })
    await chart.scrollIntoViewIfNeeded()
    // A new price may rescale the chart and move its labels: press only where the label stayed.
    const offset = await waitFor(async () => {
      const seen = await chart.evaluate(labelHeight)
      await this.page.waitForTimeout(100)
      return seen === (await chart.evaluate(labelHeight)) && seen
    }, 60_000)
    const box = await chart.boundingBox()
    const [x, y] = [box.x + LABEL_X, box.y + offset]
    if (!this.phone) {
      await this.page.mouse.move(x, y)
      await this.page.mouse.down()
      await this.page.mouse.move(x, y + distance, { steps: 5 })
      await this.page.mouse.up()
      return
    }
    const finger = await this.context.newCDPSession(this.page)
    const touch = (type, at) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at === undefined ? [] : [{ x, y: at }],
      })
    await touch('touchStart', y)
    for (let step = 1; step <= 5; step++) await touch('touchMove', y + (distance * step) / 5)
    await touch('touchEnd')
  }

  /** Buys or sells through the ticket and waits for the fill. */
  async order(side, lots, { stopLoss, takeProfit, leverage } = {}) {
    const ticket = await this.ticket(side)
    await ticket.getByRole('radio', { name: 'Market' }).check()
    await ticket.getByRole('radio', { name: side }).click()
    await ticket.getByLabel('Volume', { exact: true }).fill(lots)
    if (leverage) await this.choose(ticket, 'Leverage', `1:${leverage}`)
    for (const [label, price] of [
      ['Stop loss', stopLoss],
      ['Take profit', takeProfit],
    ]) {
      if (!price) continue
      await ticket.getByRole('switch', { name: label }).click()
      await ticket.getByLabel(`Price of ${label}`).fill(price)
    }
    await this.until(
      ticket.getByRole('button', { name: new RegExp(`^${side} .* lots at`) }),
      new RegExp(`${side} ${lots} .* filled at`),
    )
  }

  /** Announces a deposit by bank transfer and submits a proof; returns its number. */
  async deposit(amount) {
    const { page } = this
    await this.go('/deposite')
    await page.getByLabel('Amount').fill(amount)
    await this.button('Continue').click()
    await page
      .getByText(/CD-[2-9A-Z]{4}-[2-9A-Z]{4}/)
      .first()
      .waitFor()
    await page.getByText('I’ve sent the transfer').click()
    await page
      .locator('input[type=file]')
      .last()
      .setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer: picture() })
    await this.button('Submit proof').click()
    await page.getByText('Proof submitted').first().waitFor()
    return /DP-\d+/.exec(await page.evaluate(() => document.body.innerText))[0]
  }

  /** Fills in the verification up to a step: type, data, front, selfie or review. */
  async identify(until) {
    const { page } = this
    const next = (title) => page.getByRole('heading', { name: title }).waitFor()
    await this.go('/authenticate')
    await next('Which country issued your document?')
    await page.getByLabel('Issuing country').click()
    await page.getByRole('dialog').getByRole('searchbox').fill('Switzerland')
    await page.getByRole('dialog').getByText('Switzerland').click()
    await this.button('Continue').click()
    await next('Which document will you use?')
    if (until === 'type') return
    await page.getByRole('radio', { name: /Passport/ }).check()
    await this.button('Continue').click()
    await next('Document details')
    if (until === 'data') return
    await page.getByLabel('Full name').fill('Tess Tester')
    await page.getByLabel('Document number').fill('X1234567')
    await this.enterDate('Date of birth', '1990-05-17')
    await this.enterDate('Valid until', '2099-08-31')
    await this.button('Continue').click()
    await next('Photo page of the passport')
    if (until === 'front') return
    await this.handIn('front.png', paper(1))
    await next('Selfie')
    if (until === 'selfie') return
    await this.handIn('selfie.png', paper(2))
    await next('Check your details')
  }

  /** Chooses a picture of the verification, checks its preview, and sends it. */
  async handIn(name, buffer, press = 'Send picture and continue') {
    await this.page
      .locator('input[type=file]')
      .last()
      .setInputFiles({ name, mimeType: 'image/png', buffer })
    await this.page.getByRole('img', { name: 'The picture that will be sent' }).waitFor()
    await this.button(press).click()
  }

  /** Submits the verification. */
  async submitIdentity() {
    await this.button('Submit for review').click()
    await this.page.getByRole('heading', { name: 'Under review' }).waitFor()
  }

  /** Closes a product's first position in full, in the terminal. */
  async closePosition(symbol, lots) {
    const { page } = this
    const row = page.getByLabel('Positions and trades').getByRole('row').filter({ hasText: symbol })
    await row.first().getByRole('button', { name: 'Close' }).click()
    await this.confirmClose(symbol, lots)
  }

  /** Presses the button of the open close sheet. */
  async confirmClose(symbol, lots) {
    await this.until(
      this.page.getByRole('dialog').getByRole('button', { name: /^Close .* lots at/ }),
      new RegExp(`${symbol} ${lots} closed at`),
    )
  }

  /** Waits until a message has appeared; it may have disappeared again. */
  async heard(text, { timeout = 30_000, since = 0 } = {}) {
    const came = ([pattern, from]) =>
      window.messages.slice(from).some((message) => new RegExp(pattern).test(message))
    await waitFor(() => this.page.evaluate(came, [text.source, since]), timeout)
  }

  /** The number of messages so far. */
  messages() {
    return this.page.evaluate(() => window.messages.length)
  }

  /**
   * Presses until the text appears: an order is refused while a recording pauses or prices wait to be stored. After an accepted order it only waits: a second
   * press would be a second order. Before each press it fills in the form, and waits at most as long as told for the button.
   */
  async until(button, said, { fill = () => {}, timeout = 30_000, click = {} } = {}) {
    const before = await this.messages()
    await waitFor(async () => {
      await fill()
      const accepted = await this.#send(button, click)
      const there = waitFor(() => this.#said(said, before), accepted ? timeout : 2_000)
      return accepted ? there : there.catch(() => false)
    }, timeout).catch(async (error) => {
      const heard = await this.page.evaluate(() => window.messages.slice(-5))
      throw new Error(`${said} was not said, but ${JSON.stringify(heard)}`, { cause: error })
    })
  }

  /** Presses a button that sends an order; reports whether the server did all of it. Where the app stops an order at the last moment, nothing is sent. */
  async #send(button, click) {
    const sent = []
    const note = (request) => {
      if (request.method() === 'POST' && request.url().includes('/client/trade/'))
        sent.push(request)
    }
    this.page.on('request', note)
    await button.click(click).catch(() => {})
    await waitFor(() => sent.length > 0, 5_000).catch(() => {})
    this.page.off('request', note)
    const response = await sent[0]?.response()
    const answer = await response?.json()
    return answer?.status === 1 && !answer.data?.skipped?.length
  }

  /** Reports whether words are shown on one line, or appeared as a message since the given count: most messages last only two seconds. */
  async #said(words, since) {
    const pattern = words.source ?? words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return this.page.evaluate(
      ([text, from]) =>
        [...document.body.innerText.split('\n'), ...window.messages.slice(from)].some((one) =>
          new RegExp(text).test(one),
        ),
      [pattern, since],
    )
  }

  /** The app's browser storage; a browser with a copy of it is signed in too. */
  stored() {
    return this.page.evaluate(() => ({ ...localStorage }))
  }

  async close() {
    await this.context.close()
  }
}

/** Records the messages of the page, which last only two seconds. Runs in the page. */
function keepMessages() {
  window.messages = []
  const keep = (records) => {
    for (const { target, addedNodes } of records)
      if (target.nodeName !== 'TITLE')
        for (const { textContent } of addedNodes)
          if (textContent && textContent.length < 300) window.messages.push(textContent)
  }
  document.addEventListener('DOMContentLoaded', () =>
    new MutationObserver(keep).observe(document, { childList: true, subtree: true }),
  )
}

const LABEL_X = 40

/** The height of the middle of the first label over the candles, from the top of the chart; null without one. Runs in the page. */
function labelHeight(chart) {
  for (const canvas of chart.querySelectorAll('canvas')) {
    const scale = canvas.width / canvas.clientWidth
    const column = canvas.getContext('2d').getImageData(16 * scale, 0, 1, canvas.height).data
    const filled = []
    for (let y = 0; y < canvas.height; y++) if (column[4 * y + 3] > 200) filled.push(y)
    const run = filled.filter((y) => filled.includes(y + 3) || filled.includes(y - 3))
    if (run.length < 10 * scale || run.length > 40 * scale) continue
    const top = canvas.getBoundingClientRect().top - chart.getBoundingClientRect().top
    return top + (run[0] + run.at(-1)) / 2 / scale
  }
  return null
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc(body), body.length + 4)
  return out
}

function crc(bytes) {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}

/** A grey picture as a stand-in for a bank's confirmation; shade returns the brightness at a point. */
export function picture(width = 320, height = 480, shade = () => 0xd8) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = shade(x, y)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A sharp picture with text-like lines as a stand-in for a document; each seed makes a different one. */
export function paper(seed = 0) {
  const letter = (x, y) =>
    y % 36 < 20 && (x * 7 + y * 3 + (x >> 3) * (y >> 4) * (seed + 13)) % 11 < 4
  const edge = (x, y) => x < 40 || x >= 1160 || y < 40 || y >= 760
  return picture(1200, 800, (x, y) =>
    edge(x, y) ? 0x50 : letter((x >> 2) << 2, (y >> 2) << 2) ? 0x38 : 0xd0,
  )
}
