// The desk shows everything that visitors write as text: no script runs in an agent's browser, nothing is loaded, nothing is sent anywhere.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { Member } from './lib/desk.mjs'
import { payloads } from './lib/payloads.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { comeToDesk, takeChats } from './lib/staff.mjs'
import { Visitor } from './lib/visitor.mjs'

const EACH = 20 // below the limit of thirty messages a minute

let browser
let server
let kim
const visitors = []
const harm = [] // effects of scripts, or of text taken as markup

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Records every effect of a payload in the member's browser. */
async function watch({ context, page }) {
  await context.exposeBinding('harmed', (_source, what) => harm.push(what))
  await context.addInitScript(() => {
    Object.defineProperty(window, '__ran', { set: () => window.harmed('__ran') })
    document.addEventListener('securitypolicyviolation', (event) => {
      window.harmed(`stopped ${event.effectiveDirective}`) // without the policy it would have run
    })
  })
  page.on('dialog', async (dialog) => {
    harm.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== server.url || url.pathname.includes('evil')) harm.push(`asked ${url}`)
  })
  page.on('framenavigated', (frame) => {
    if (!frame.url().startsWith(`${server.url}/admin`)) harm.push(`went to ${frame.url()}`)
  })
}

/** Triggers what was shown: pointer and focus handlers, and delayed code. */
async function provoke(page) {
  for (const bubble of await page.locator('#thread .msg .b').all()) await bubble.hover()
  for (let i = 0; i < 10; i++) await page.keyboard.press('Tab')
  await page.waitForTimeout(300)
}

/** The text as a browser normalizes its line breaks. */
const lines = (text) => text.replaceAll('\r\n', '\n')

const shown = (page) => page.locator('#thread .msg[data-id] .b').allTextContents()

async function inbox() {
  await kim.page.goto(`${server.url}/admin/chat?tab=all`)
  await kim.page.locator('html[data-chat-live=on]').waitFor()
}

test('the watch sees a script, a request and a way out', async () => {
  const member = await new Member(browser, server, 'Nobody', 'nobody@desk.example').open()
  const { page } = member
  await watch(member)
  await page.goto(`${server.url}/admin/signin`)
  await page.evaluate(() => {
    window.alert(1)
    window.__ran = 1
    document.body.insertAdjacentHTML('beforeend', '<img src=/admin/evil onerror=alert(1)>')
  })
  await waitFor(() => harm.length >= 4)
  await page.route('http://evil.example/', (route) => route.fulfill({ body: 'somewhere else' }))
  await page.goto('http://evil.example/')
  for (const what of [
    'dialog 1',
    '__ran',
    'stopped script-src-attr',
    `asked ${server.url}/admin/evil`,
    'asked http://evil.example/',
    'went to http://evil.example/',
  ])
    assert.ok(harm.includes(what), `${what} is not in: ${harm.join(', ')}`)
  await member.context.close()
  harm.length = 0
  assert.match(browser.violations.join('\n'), /script-src-attr/)
  browser.violations.length = 0 // the policy blocked it, as intended
})

test('three visitors write sixty payloads', async () => {
  kim = await comeToDesk(browser, server, 'kim')
  await watch(kim)
  await inbox()
  await takeChats(kim)
  assert.equal(payloads.length, 3 * EACH)
  for (let i = 0; i < 3; i++) {
    const visitor = new Visitor(server)
    visitor.wrote = payloads.slice(i * EACH, (i + 1) * EACH)
    for (const text of visitor.wrote) await visitor.say(text)
    visitors.push(visitor)
    // The inbox shows each visitor's last message, and assigns the thread.
    await waitFor(async () => (await visitor.thread()).agentName === 'Kim Keller')
    await kim.page
      .locator('#conversations')
      .getByText(visitor.wrote.at(-1).replaceAll(/\s+/g, ' '))
      .first()
      .waitFor()
  }
  await provoke(kim.page)
  assert.deepEqual(harm, [])
})

test('each thread shows them as words', async () => {
  const { page } = kim
  const addresses = new Set()
  for (let i = 0; i < visitors.length; i++) {
    await inbox()
    await page
      .getByRole('link', { name: /^Visitor/ })
      .nth(i)
      .click()
    await page.locator('#thread .msg').first().waitFor()
    await provoke(page)
    const words = await shown(page)
    const of = visitors.find((one) => lines(one.wrote[0]) === words[0])
    assert.deepEqual(words, of.wrote.map(lines))
    addresses.add(page.url())
    assert.deepEqual(harm, [])
  }
  assert.equal(addresses.size, visitors.length)
})

test('what comes while the thread is open, and what the agent writes, are words too', async () => {
  const { page } = kim
  const [visitor] = visitors
  const more = payloads.filter((text) => text.includes('onerror'))
  await inbox()
  const names = page.getByRole('link', { name: /^Visitor/ })
  for (let i = 0; i < 3; i++) {
    await names.nth(i).click()
    await page.locator('#thread .msg').first().waitFor()
    if ((await shown(page))[0] === lines(visitor.wrote[0])) break
  }
  for (const text of more) await visitor.say(text)
  await waitFor(async () => (await shown(page)).length === EACH + more.length)
  for (const text of more) {
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Control+Enter')
  }
  await waitFor(async () => (await visitor.words()).length === EACH + 2 * more.length)
  await waitFor(async () => (await page.locator('[data-pending-message]').count()) === 0)
  await provoke(page)
  assert.deepEqual((await shown(page)).slice(EACH), [...more, ...more])
  assert.deepEqual(harm, [])
})

test('prepared answers and the search show them as words', async () => {
  const { page } = kim
  const some = payloads.filter((_text, i) => i % 10 === 0)
  await page.goto(`${server.url}/admin/chat/answers`)
  for (const [i, text] of some.entries()) {
    await page.getByRole('button', { name: 'Add answer' }).click()
    await kim.dialog().getByLabel('Name').fill(`payload-${i}`)
    await kim.dialog().getByLabel('Text').fill(text)
    await kim.dialog().getByRole('button', { name: 'Save' }).click()
    await kim.dialog().waitFor({ state: 'hidden' })
  }
  await inbox()
  await page
    .getByRole('link', { name: /^Visitor/ })
    .first()
    .click()
  const field = page.getByLabel('Message', { exact: true })
  await field.pressSequentially('/payload')
  await page.getByRole('option', { name: /payload-0/ }).waitFor()
  const offered = await page.locator('#palette .tx').allTextContents()
  assert.deepEqual(
    offered.map((text) => text.trim()),
    some.map(lines),
  )
  await page.waitForTimeout(300)
  for (const text of payloads) {
    await page.goto(`${server.url}/admin/chat?q=${encodeURIComponent(text)}`)
    assert.equal(
      await page.getByRole('main').getByRole('searchbox').first().inputValue(),
      text.replaceAll(/[\r\n]/g, ''),
    )
  }
  assert.deepEqual(harm, [])
  assert.deepEqual(kim.problems, [])
})
