// Two traders in the app and two agents at the desk: threads are assigned, agents collide and take over, pictures are sent, the network fails on either side
// and the server restarts in between, and both sides end with the same messages in the same order. Then an agent answers ten conversations by keyboard alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { openLine } from './lib/line.mjs'
import { pdf } from './lib/pdf.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { comeToDesk, takeChats } from './lib/staff.mjs'
import { paper, Trader } from './lib/trader.mjs'
import { Visitor } from './lib/visitor.mjs'

let browser
let server
let kim
let lee
let tess
let theo
const lines = []

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
  for (const line of lines) line.close()
})

/** Opens a browser on a separate connection that can be cut. */
async function onALine(open) {
  const line = await openLine()
  lines.push(line)
  return Object.assign(await open({ proxy: line.proxy }), { line })
}

const CUT_MS = Number(process.env.CUT_MS ?? 5_000)
const thread = (member) => member.page.locator('#thread')
const field = (one) => one.page.getByLabel('Message', { exact: true })
const log = (trader) => trader.page.getByRole('log', { name: 'Conversation' })

async function desk(member) {
  await member.page.goto(`${server.url}/admin/chat`)
  await member.page.locator('html[data-chat-live=on]').waitFor()
}

async function answer(member, text) {
  await field(member).fill(text)
  await field(member).press('Control+Enter')
}

async function say(trader, text) {
  await field(trader).fill(text)
  await trader.page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** The texts of a thread as the desk shows them, and as the app does. */
const atDesk = (member) => thread(member).locator('.msg[data-id] .b[dir]').allTextContents()
const inApp = (trader) => trader.page.locator('[role=log] article p[dir]').allTextContents()

async function same(member, trader, last) {
  await thread(member).getByText(last, { exact: true }).waitFor({ timeout: 60_000 })
  await log(trader).getByText(last, { exact: true }).waitFor({ timeout: 60_000 })
  await waitFor(
    async () => JSON.stringify(await atDesk(member)) === JSON.stringify(await inApp(trader)),
    60_000,
  ).catch(async () => assert.deepEqual(await inApp(trader), await atDesk(member)))
}

test('two agents sit down, and two traders ask: one each', async () => {
  kim = await onALine((options) => comeToDesk(browser, server, 'kim', options))
  lee = await onALine((options) => comeToDesk(browser, server, 'lee', options))
  const phone = new Trader(browser, server, 'tess@trader.example', 390)
  tess = await onALine((options) => phone.open(options))
  theo = await new Trader(browser, server, 'theo@trader.example', 1440).open()
  for (const trader of [tess, theo]) {
    await trader.register()
    await trader.go('/kefu')
  }
  for (const agent of [kim, lee]) {
    await desk(agent)
    await takeChats(agent)
  }
  await say(tess, 'Where is my withdrawal?')
  await say(theo, 'Why was my stop filled there?')
  await kim.page.getByText('1 of 6 active', { exact: false }).waitFor()
  await lee.page.getByText('1 of 6 active', { exact: false }).waitFor()
})

let hers
let his

test('they talk: words, a picture, ticks, typing', async () => {
  await log(tess)
    .getByText(/joined|Keller|Lang/)
    .first()
    .waitFor()
  const named = await log(tess).innerText()
  if (named.includes('Lee Lang')) [kim, lee] = [lee, kim] // from here on, Kim is the agent of Tess
  await kim.page.getByText('Where is my withdrawal?').first().waitFor()
  await kim.page.goto(`${server.url}/admin/chat?tab=mine`)
  await kim.page.locator('article[id^=chat-] .who').first().click()
  await thread(kim).waitFor()
  hers = await thread(kim).getAttribute('data-conversation')
  await lee.page.goto(`${server.url}/admin/chat?tab=mine`)
  await lee.page.locator('article[id^=chat-] .who').first().click()
  await thread(lee).waitFor()
  his = await thread(lee).getAttribute('data-conversation')
  assert.notEqual(hers, his)
  await field(kim).pressSequentially('I l')
  await tess.page.getByText(/is typing/).waitFor()
  await answer(kim, 'I look at it.')
  await log(tess).getByText('I look at it.').waitFor()
  await thread(kim).getByText('Read', { exact: true }).waitFor()
  await field(tess).pressSequentially('Th')
  await kim.page.getByText('Trader is typing…').first().waitFor()
  await say(tess, 'Thank you')
  await thread(kim).getByText('Thank you').waitFor()
  await thread(kim).locator('[data-attach]').count()
  await kim.page
    .locator('[data-attach]')
    .setInputFiles({ name: 'form.png', mimeType: 'image/png', buffer: paper(5) })
  await log(tess).getByRole('img').first().waitFor()
  await thread(kim).locator('.msg.out img').waitFor()
})

test('each sends a PDF, and both see how many pages it has', async () => {
  const sent = { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: pdf(2) }
  await kim.page.locator('[data-attach]').setInputFiles(sent)
  await log(tess).getByText('PDF, 2 pages').waitFor({ timeout: 60_000 })
  await thread(kim).locator('.msg.out').getByText('PDF, 2 pages').waitFor()
  await tess.page
    .getByLabel('Choose a picture or PDF')
    .setInputFiles({ ...sent, name: 'bank.pdf', buffer: pdf(5) })
  await tess.page.getByText('bank.pdf', { exact: true }).waitFor()
  await tess.page.getByRole('button', { name: 'Send', exact: true }).click()
  await log(tess)
    .getByText(/PDF, 5 pages, the first \D?3\D? shown/)
    .waitFor({ timeout: 60_000 })
  await log(tess).getByRole('img', { name: 'Your document' }).waitFor()
  await thread(kim).getByText('PDF, 5 pages, the first 3 shown').waitFor()
})

test('a trader has the conversation mailed, once in ten minutes', async () => {
  const menu = async () => {
    await tess.page.getByRole('button', { name: 'Chat options' }).click()
    await tess.page.getByRole('menuitem', { name: 'Email me this conversation' }).click()
  }
  await menu()
  await tess.page.getByText('We’re sending the conversation to your email address.').waitFor()
  await menu()
  await tess.page.getByText(/We emailed you this conversation less than 10 minutes ago/).waitFor()
  await tess.page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
})

test('agents collide: the second one sees whose it is, takes it over, and gives it back with a note', async () => {
  await lee.page.goto(`${server.url}/admin/chat/${hers}`)
  await lee.page.getByText(/is answering this trader/).waitFor()
  await lee.page.getByRole('button', { name: 'Take over' }).click()
  await kim.page.getByText(/is answering this trader/).waitFor()
  assert.equal(await field(kim).isDisabled(), true)
  await answer(lee, 'I have taken over for a moment.')
  await log(tess).getByText('I have taken over for a moment.').waitFor()
  await lee.page.getByRole('button', { name: 'Transfer' }).click()
  const option = lee.dialog().getByLabel('To').locator('option').filter({ hasText: kim.name })
  const label = (await option.first().textContent()).trim()
  await lee.dialog().getByLabel('To').selectOption({ label })
  await lee.dialog().getByLabel('Note for the next agent').fill('Only for us.')
  await lee.dialog().getByRole('button', { name: 'Transfer' }).click()
  await thread(kim).getByText('Only for us.').waitFor()
  await waitFor(async () => !(await field(kim).isDisabled()))
  assert.equal((await log(tess).innerText()).includes('Only for us.'), false)
  await lee.page.goto(`${server.url}/admin/chat/${his}`)
})

test('the network is cut on both sides, the server starts again, and nothing is lost or doubled', async () => {
  tess.line.cut()
  await say(tess, 'said without a line, 1')
  await say(tess, 'said without a line, 2')
  await answer(kim, 'said while Tess was away')
  lee.line.cut()
  await answer(lee, 'answered without a line')
  await say(theo, 'said while Lee was away')
  const { port, dataDir } = server
  await server.stop({ keep: true })
  await say(theo, 'said to a server that is not there')
  await new Promise((resolve) => setTimeout(resolve, CUT_MS))
  server = await startServer({ port, dataDir })
  for (const one of [kim, lee, tess, theo]) one.server = server
  tess.line.mend()
  lee.line.mend()
  await thread(kim).getByText('said without a line, 2').waitFor({ timeout: 60_000 })
  await say(tess, 'the last of Tess')
  await same(kim, tess, 'the last of Tess')
  await thread(lee).getByText('said to a server that is not there').waitFor({ timeout: 60_000 })
  await log(theo).getByText('answered without a line').waitFor({ timeout: 60_000 })
  await answer(lee, 'the last of Lee')
  await same(lee, theo, 'the last of Lee')
  const hersNow = await inApp(tess)
  for (const text of [
    'said without a line, 1',
    'said without a line, 2',
    'said while Tess was away',
  ])
    assert.equal(hersNow.filter((one) => one === text).length, 1, text)
})

test('resolved, rated, and reopened by a word of the trader', async () => {
  await kim.page.bringToFront()
  await thread(kim).focus()
  await kim.page.keyboard.press('e')
  await kim.page.getByText('Resolved.', { exact: true }).waitFor()
  await tess.page.getByRole('radio', { name: 'Very good' }).check()
  await tess.page.getByRole('button', { name: 'Send rating' }).click()
  await kim.page.getByText('Rated 5 of 5').first().waitFor()
  await say(tess, 'One more thing')
  await thread(kim).getByText('One more thing').waitFor()
  await waitFor(async () => !(await field(kim).isDisabled()))
  for (const one of [tess, theo]) assert.deepEqual(one.problems, [])
})

test('an agent answers ten conversations by keyboard alone', async () => {
  const { page } = kim
  for (const agent of [lee, kim]) {
    await agent.page.getByLabel('Taking chats').uncheck()
    await agent.page.getByText('No chats are assigned to you.', { exact: false }).waitFor()
  }
  await lee.context.close()
  const asking = []
  for (let n = 0; n < 10; n++) {
    const visitor = new Visitor(server)
    await visitor.say(`Question ${n}`)
    asking.push(visitor)
  }
  await page.goto(`${server.url}/admin/chat?tab=unassigned`)
  await page.locator('html[data-chat-live=on]').waitFor()
  await waitFor(async () => (await page.locator('article[id^=chat-]').count()) === 10)
  // From here on by keyboard only.
  for (let n = 0; n < 10; n++) {
    const before = await page
      .locator('#thread')
      .getAttribute('data-conversation')
      .catch(() => null)
    // The one that was resolved has left the list.
    await waitFor(async () => (await page.locator('article[id^=chat-]').count()) === 10 - n)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      (old) =>
        document.getElementById('thread')?.dataset.conversation !== old &&
        document.getElementById('thread'),
      before,
    )
    await page.keyboard.press('c')
    await page.getByText('Conversation claimed.').waitFor()
    await page.keyboard.press('l')
    await page.keyboard.type(`Answer ${n}`)
    await page.keyboard.press('Control+Enter')
    await page.locator('#thread .msg.out[data-id]').first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await page.locator('#chat-head').getByText('Resolved').waitFor()
    await page.locator('#flash').getByText('Resolved.').waitFor()
  }
  for (const visitor of asking) {
    const { list, state } = await visitor.thread()
    assert.equal(state, 'resolved')
    assert.equal(list.filter((one) => one.senderType === 'agent').length, 1)
  }
  assert.deepEqual(kim.problems, [])
})

test('an agent writes first, from the inbox, sends an email and writes down a call', async () => {
  const { page } = kim
  await desk(kim)
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await kim.dialog().getByLabel('Trader').fill('nobody@trader.example')
  await kim.dialog().getByRole('button', { name: 'Continue' }).click()
  await kim.dialog().getByText('No trader found.').waitFor()
  await kim.dialog().getByLabel('Trader').fill('tess@trader.example')
  await kim.dialog().getByRole('button', { name: 'Continue' }).click()
  await kim.dialog().getByLabel('Message', { exact: true }).fill('Your statement is ready.')
  await kim.dialog().getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/admin\/chat\/\d+/)
  await thread(kim).getByText('Your statement is ready.').waitFor()
  await log(tess).getByText('Your statement is ready.').waitFor()
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await kim.dialog().getByLabel('Subject').fill('Your statement')
  await kim.dialog().getByLabel('Text').fill('You find it under Documents.')
  await kim.dialog().getByRole('button', { name: 'Send email' }).click()
  await thread(kim).getByText('Not sent: no sender is configured').waitFor()
  await page.getByRole('button', { name: 'Log call' }).click()
  await kim.dialog().getByLabel('Minutes').fill('4')
  await kim.dialog().getByLabel('What was said').fill('She has found it.')
  await kim.dialog().getByRole('button', { name: 'Save call' }).click()
  await thread(kim).getByText('Outgoing call, 4 min').waitFor()
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await picture(page, 'chat-outreach')
  }
  assert.equal(
    await log(tess).getByText('You find it under Documents.').count(),
    0,
    'the app does not show it',
  )
})

test('a part of a word finds who said it, with the line that holds it', async () => {
  const { page } = kim
  await desk(kim)
  const search = page.getByRole('searchbox', { name: 'Search messages' })
  await search.fill('THDRAW')
  await search.press('Enter')
  await page.locator('#conversations mark').first().waitFor()
  assert.ok((await page.locator('#conversations mark').allTextContents()).includes('thdraw'))
  await picture(page, 'chat-found')
  await check(page, 'what was found')
  await page.locator('#conversations').getByRole('link').first().click()
  await thread(kim).getByText('withdrawal').first().waitFor()
})
