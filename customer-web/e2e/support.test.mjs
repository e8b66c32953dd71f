// Agents answer traders: waiting threads are assigned, one agent answers at a time, and every message appears once on both sides, whatever happens to the
// network.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { comeToDesk, takeChats } from './lib/staff.mjs'
import { Visitor } from './lib/visitor.mjs'

let browser
let server
let kim
let lee
let vera

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const thread = (member) => member.page.locator('#thread')
const field = (member) => member.page.getByLabel('Message', { exact: true })

async function chat(member, query = '') {
  await member.page.goto(`${server.url}/admin/chat${query}`)
  await member.page.locator('html[data-chat-live=on]').waitFor()
}

async function write(member, text) {
  await field(member).fill(text)
  await field(member).press('Control+Enter')
}

async function look(member, name) {
  for (const width of [390, 1440]) {
    await member.page.setViewportSize({ width, height: 900 })
    await check(member.page, `${name} at ${width}`)
    await picture(member.page, name)
  }
}

test('a lead and an agent take their desks', async () => {
  kim = await comeToDesk(browser, server, 'kim')
  lee = await comeToDesk(browser, server, 'lee')
  await chat(kim)
  await kim.page.getByText('No customers are waiting.').waitFor()
  assert.equal(await kim.page.getByLabel('Taking chats').isChecked(), false, 'off at sign-in')
  await kim.page.getByText('No chats are assigned to you.', { exact: false }).waitFor()
})

test('what waits is handed to whoever takes chats', async () => {
  vera = new Visitor(server, 'en', 'Asia/Shanghai')
  await vera.say('My withdrawal says in review since this morning. Is something wrong?')
  await kim.page.getByText('My withdrawal says in review').first().waitFor()
  await kim.page.getByText('Nobody is taking chats', { exact: false }).waitFor()
  assert.equal((await vera.thread()).state, 'queued', 'an open page takes no chats')
  await look(kim, 'desk-chat-taking-off')
  await takeChats(kim)
  await waitFor(async () => (await vera.thread()).agentName === 'Kim Keller')
  await kim.page
    .getByRole('link', { name: /^Visitor/ })
    .first()
    .click()
  await thread(kim).getByText('My withdrawal says in review').waitFor()
  await kim.page.getByText(/^\d\d:\d\d local time, UTC\+8$/).waitFor()
  await write(kim, 'Nothing is wrong. A person checks it just now.')
  await waitFor(async () =>
    (await vera.words()).includes('Nothing is wrong. A person checks it just now.'),
  )
  await thread(kim).getByText('Sent', { exact: true }).waitFor()
  const { list } = await vera.thread()
  await vera.read(list.at(-1).id, false)
  await thread(kim).getByText('Delivered', { exact: true }).waitFor()
  await vera.read(list.at(-1).id)
  await thread(kim).getByText('Read', { exact: true }).waitFor()
  await look(kim, 'desk-chat')
})

test('a lead prepares answers, and what they leave open is not sent', async () => {
  const { page } = kim
  await page.goto(`${server.url}/admin/chat/answers`)
  for (const [name, text] of [
    ['hello', 'Hello, this is {{agent}}. How can I help?'],
    [
      'withdrawal-stage',
      'Your withdrawal {{withdrawal.number}} is at this step: {{withdrawal.stage}}.',
    ],
  ]) {
    await page.getByRole('button', { name: 'Add answer' }).click()
    await kim.dialog().getByLabel('Name').fill(name)
    await kim.dialog().getByLabel('Text').fill(text)
    await kim.dialog().getByRole('button', { name: 'Save' }).click()
    await kim.dialog().waitFor({ state: 'hidden' })
  }
  await look(kim, 'desk-answers')
  await chat(kim)
  await page
    .getByRole('link', { name: /^Visitor/ })
    .first()
    .click()
  await field(kim).pressSequentially('/hel')
  await page.getByRole('option', { name: /hello/ }).waitFor()
  await look(kim, 'desk-chat-palette')
  await field(kim).press('Enter')
  assert.equal(await field(kim).inputValue(), 'Hello, this is Kim Keller. How can I help?')
  await field(kim).press('Control+Enter')
  await waitFor(async () => (await vera.words()).at(-1).startsWith('Hello, this is Kim'))
  await field(kim).fill('/withdrawal')
  await page.getByText('Cannot send').waitFor()
  await field(kim).press('Enter')
  await field(kim).press('Control+Enter')
  await thread(kim)
    .getByText(/has no value for this trader/)
    .waitFor()
  await thread(kim).getByRole('button', { name: 'Edit' }).click()
  assert.match(
    await field(kim).inputValue(),
    /^Your withdrawal {{withdrawal.number}}/,
    'what failed comes back to be mended',
  )
  assert.equal(await thread(kim).locator('[data-pending-message]').count(), 0)
  await field(kim).press('Control+Enter')
  await thread(kim)
    .getByText(/has no value for this trader/)
    .waitFor()
  await thread(kim).getByRole('button', { name: 'Discard' }).click()
  assert.equal(
    (await vera.words()).some((text) => text.includes('{{')),
    false,
  )
})

test('one answers at a time: the other sees who, takes over, and notes stay at the desk', async () => {
  await chat(lee)
  await lee.page
    .getByRole('link', { name: /^Visitor/ })
    .first()
    .click()
  await lee.page.getByText('Kim Keller is answering this trader.', { exact: false }).waitFor()
  assert.equal(await field(lee).isDisabled(), true)
  await field(kim).pressSequentially('I am')
  await lee.page.getByText('Kim Keller is typing a reply…').first().waitFor()
  await kim.page.locator('#chat-head').getByText('viewing').waitFor({ timeout: 30_000 })
  await lee.page.keyboard.press('p')
  await lee.page.getByPlaceholder('Write a note that only staff can read').waitFor()
  await lee.page.getByRole('button', { name: 'Save note' }).waitFor()
  await write(lee, 'Finance has it, see the queue.')
  await thread(kim).getByText('Finance has it, see the queue.').waitFor()
  assert.equal((await vera.words()).includes('Finance has it, see the queue.'), false)
  await lee.page.getByRole('button', { name: 'Take over' }).click()
  await lee.page.getByText('You are now answering this trader.').waitFor()
  await kim.page.getByText('Lee Lang is answering this trader.', { exact: false }).waitFor()
  await write(lee, 'Lee here, I go on.')
  await waitFor(async () => (await vera.words()).at(-1) === 'Lee here, I go on.')
})

test('handed on, put off, resolved, and opened again by a word', async () => {
  await lee.page.getByRole('button', { name: 'Transfer' }).click()
  await lee
    .dialog()
    .getByLabel('To')
    .selectOption({ label: await optionOf(lee, 'Kim Keller') })
  await lee.dialog().getByLabel('Note for the next agent').fill('She asks about fees too.')
  await look(lee, 'desk-chat-transfer')
  await lee.dialog().getByRole('button', { name: 'Transfer' }).click()
  await thread(kim).getByText('She asks about fees too.').waitFor()
  await kim.page.keyboard.press('Escape')
  await kim.page.getByRole('button', { name: 'Snooze' }).click()
  await kim.dialog().getByRole('button', { name: 'Snooze' }).click()
  await kim.page.getByText('Snoozed.').waitFor()
  await vera.say('Are you still there?')
  await thread(kim).getByText('Are you still there?').waitFor()
  await write(kim, 'Yes. Done now.')
  await thread(kim).getByText('Yes. Done now.').waitFor()
  await kim.page.getByRole('button', { name: 'Resolve' }).click()
  await kim.page.getByText('Resolved.', { exact: true }).waitFor()
  await waitFor(async () => (await vera.thread()).rateable)
  assert.equal((await vera.call('POST', 'insertRating', { rating: 5, comment: 'quick' })).status, 1)
  await vera.say('One more thing')
  await waitFor(async () => (await vera.thread()).state === 'open')
  assert.equal((await vera.thread()).agentName, 'Kim Keller', 'the same agent, who is there')
})

async function optionOf(member, name) {
  const option = member.dialog().getByLabel('To').locator('option').filter({ hasText: name })
  return (await option.first().textContent()).trim()
}

test('cut from the network both ways, nothing is lost and nothing comes twice', async () => {
  await waitFor(async () => !(await field(kim).isDisabled()))
  const before = (await vera.words()).length
  await kim.context.setOffline(true)
  await write(kim, 'Written without a connection, 1')
  await write(kim, 'Written without a connection, 2')
  await thread(kim).getByText('Not sent').first().waitFor({ timeout: 30_000 })
  await vera.say('While you were away')
  await kim.context.setOffline(false)
  await thread(kim).getByText('While you were away').waitFor({ timeout: 30_000 })
  await waitFor(async () => (await vera.words()).length === before + 3, 30_000)
  assert.deepEqual((await vera.words()).slice(before), [
    'While you were away',
    'Written without a connection, 1',
    'Written without a connection, 2',
  ])
  await waitFor(async () => (await thread(kim).locator('[data-pending-message]').count()) === 0)
  const shown = await thread(kim).locator('.msg[data-id] .b').allTextContents()
  assert.deepEqual(shown, await vera.words())
})

test('sent while the thread cannot be read: it stays in view, and comes once', async () => {
  const { page } = kim
  const before = (await vera.words()).length
  let lost = 0
  const lose = (route) => {
    lost++
    return route.abort()
  }
  await page.route('**/news?*', lose)
  await write(kim, 'Sent, but not read back')
  await waitFor(async () => (await vera.words()).length === before + 1)
  await waitFor(() => lost > 1, 30_000) // the page asks again only when it has dealt with the first answer
  assert.equal(await thread(kim).locator('[data-pending-message]').count(), 1)
  await page.unroute('**/news?*', lose)
  await vera.say('I have it')
  await thread(kim).getByText('I have it').waitFor()
  await waitFor(async () => (await thread(kim).locator('[data-pending-message]').count()) === 0)
  assert.deepEqual(
    await thread(kim).locator('.msg[data-id] .b').allTextContents(),
    await vera.words(),
  )
})

test('an agent says what they take, and narrows the list to a language', async () => {
  const { page } = kim
  const walid = new Visitor(server, 'ar')
  await walid.say('أين إيداعي؟')
  await chat(kim)
  await page.getByText('أين إيداعي؟').first().waitFor()
  await page.getByRole('button', { name: 'Languages' }).click()
  await kim.dialog().getByLabel('العربية').check()
  await look(kim, 'desk-chat-languages')
  await kim.dialog().getByRole('button', { name: 'Save languages' }).click()
  await page
    .getByText('New chats are assigned to you: Any other language, العربية.', { exact: false })
    .waitFor()
  await page.getByRole('button', { name: 'Language', exact: true }).click()
  await kim.dialog().getByLabel('Language').selectOption('ar')
  await kim.dialog().getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/language=ar/)
  await page.getByText('أين إيداعي؟').first().waitFor()
  assert.equal(await page.locator('#conversations [data-row]').count(), 1)
  await look(kim, 'desk-chat-language')
})

test('an agent hears on another page of who writes to them, and is there', async () => {
  const { page } = kim
  await waitFor(async () => (await vera.thread()).agentName === 'Kim Keller')
  const there = page.waitForRequest(/\/chat\/desk\/presence/)
  await page.goto(`${server.url}/admin/traders`)
  await there
  await vera.say('I have found it, thank you')
  const line = page.locator('#flash').getByText(/New message from/)
  await line.waitFor()
  assert.match(await page.title(), /^\(\d\) Traders/)
  await look(kim, 'desk-call')
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await thread(kim).getByText('I have found it, thank you').waitFor()
  assert.equal(await page.locator('#flash .flash').count(), 0, 'the chat shows it by itself')
})

test('the pages of a browser share one stream, and whoever is left takes it over', async () => {
  const visit = async (page) => {
    const looked = page.waitForResponse(/\/chat\/mine/)
    await page.goto(`${server.url}/admin/traders`)
    await looked
  }
  await visit(kim.page)
  const second = await kim.context.newPage()
  const streams = []
  second.on('request', (request) => {
    if (request.url().endsWith('/admin/events')) streams.push(request.url())
  })
  await visit(second)
  await vera.say('And one more')
  await second
    .locator('#flash')
    .getByText(/New message from/)
    .waitFor()
  assert.match(await second.title(), /^\(\d\) Traders/)
  assert.deepEqual(streams, [], 'the first page holds it')
  await kim.page.goto('about:blank')
  await waitFor(() => streams.length === 1)
  await vera.say('And the last')
  await waitFor(async () => (await second.locator('#flash .flash').count()) > 0)
  await second.close()
})

test('an agent lets the browser tell of a message while they look elsewhere', async () => {
  const { page } = kim
  await kim.context.grantPermissions(['notifications'], { origin: server.url })
  await chat(kim)
  await page.getByRole('button', { name: 'Alerts' }).click()
  assert.equal(
    await kim.dialog().getByLabel('Browser notification').isChecked(),
    false,
    'off by default',
  )
  assert.equal(await kim.dialog().getByLabel('Sound').first().isChecked(), false)
  await kim.dialog().getByLabel('Browser notification').check()
  await kim.dialog().getByLabel('Sound').first().check()
  await look(kim, 'desk-chat-alerts')
  await kim.dialog().getByRole('button', { name: 'Done' }).click()
  const watched = page.waitForResponse(/\/chat\/mine/)
  await page.goto(`${server.url}/admin/traders`)
  await watched
  await page.evaluate(() => {
    window.told = []
    window.Notification = class extends EventTarget {
      static permission = 'granted'
      constructor(_title, options) {
        super()
        window.told.push(options.body)
      }
    }
  })
  await vera.say('Seen by whoever looks')
  await page
    .locator('#flash')
    .getByText(/New message from/)
    .first()
    .waitFor()
  assert.deepEqual(await page.evaluate(() => window.told), [], 'the page is looked at')
  await page.evaluate(() => {
    document.hasFocus = () => false
  })
  await vera.say('And while they look elsewhere')
  await waitFor(async () => (await page.evaluate(() => window.told.length)) === 1)
  assert.match((await page.evaluate(() => window.told))[0], /New message from/)
})

test('the lead reads how satisfied customers were, by week and by agent', async () => {
  const { page } = kim
  for (const [name, text] of [
    ['satisfaction-weeks', 'Average overall: 5.00.'],
    ['satisfaction-weeks-agents', 'Highest: '],
    ['satisfaction-agents', 'Average overall: 5.00.'],
  ]) {
    await page.goto(`${server.url}/admin/reports/${name}`)
    await page.getByText(text, { exact: false }).first().waitFor()
    await look(kim, `report-${name}`)
  }
  await lee.page.goto(`${server.url}/admin/reports`)
  await lee.page.getByText('Satisfaction by week').waitFor()
  assert.equal(
    await lee.page.getByText('Satisfaction by week and agent').count(),
    0,
    'colleagues are for the lead',
  )
})

test('nothing went wrong on their pages', () => {
  assert.deepEqual(kim.problems, [])
  assert.deepEqual(lee.problems, [])
})
