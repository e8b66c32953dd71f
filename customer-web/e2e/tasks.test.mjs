// Staff hand work to each other and keep the register of complaints: an agent hands a conversation to finance, who see it arrive and do it; a note names a
// colleague; a complaint is answered by two people.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'
import { Visitor } from './lib/visitor.mjs'

let browser
let server
let lee
let kim
let mia
let rae
let vera
let visitor

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function look(member, name) {
  const size = member.page.viewportSize()
  for (const width of [390, 1024, 1440]) {
    await member.page.setViewportSize({ width, height: 900 })
    await check(member.page, `${name} at ${width}`)
    await picture(member.page, name)
  }
  await member.page.setViewportSize(size)
}

const row = (member, text) => member.page.locator('article.q').filter({ hasText: text })
const card = (member) => member.page.locator('#conversation-tasks')

test('an agent hands a conversation to finance', async () => {
  lee = await comeToDesk(browser, server, 'lee')
  kim = await comeToDesk(browser, server, 'kim')
  mia = await comeToDesk(browser, server, 'mia')
  await mia.page.goto(`${server.url}/admin/tasks?tab=team`)
  await mia.page.getByText('No tasks here.').waitFor()
  visitor = new Visitor(server, 'en')
  await visitor.say('I sent 500 two days ago and nothing has arrived.')
  await lee.page.goto(`${server.url}/admin/chat?tab=all`)
  await lee.page
    .getByRole('link', { name: /^Visitor/ })
    .first()
    .click()
  await lee.page.locator('#thread').getByText('nothing has arrived').waitFor()
  await lee.page.getByRole('button', { name: 'Hand to a team' }).click()
  const form = lee.dialog()
  await form.getByLabel('What to do').fill('Find a transfer of 500 from Monday')
  await form.getByLabel('For', { exact: true }).selectOption({ label: 'Finance' })
  await form.getByLabel('Priority').selectOption({ label: 'High' })
  await look(lee, 'desk-task-form')
  await form.getByRole('button', { name: 'Hand over' }).click()
  await form.waitFor({ state: 'hidden' })
  await card(lee).getByText('Find a transfer of 500 from Monday').waitFor()
  await lee.page
    .locator('#thread')
    .getByText(/^TK-\d+ handed over by you$/)
    .waitFor()
  await look(lee, 'desk-task-chat')
})

test('finance see it arrive, take it and do it, and the agent reads the outcome', async () => {
  const { page } = mia
  await page.locator('#count-tasks, [data-count=tasks]').first().waitFor({ state: 'attached' })
  await page.locator('[data-changed]').click()
  await row(mia, 'Find a transfer of 500').getByRole('link').first().click()
  await page.getByRole('button', { name: 'Take' }).waitFor()
  await look(mia, 'desk-task')
  assert.equal(
    await page.locator('#detail a[href^="/admin/chat/"]').count(),
    0,
    'finance opens no conversations',
  )
  await page.getByRole('button', { name: 'Take' }).click()
  await page.locator('#detail').getByText('Mia Maker is working on it').waitFor()
  await card(lee).getByText('In progress: Mia Maker').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await mia
    .dialog()
    .getByLabel('Outcome')
    .fill('The bank had returned it. It is on its way back to the sender.')
  await mia.dialog().getByRole('button', { name: 'Mark as done' }).click()
  await mia.dialog().waitFor({ state: 'hidden' })
  await card(lee).getByText('It is on its way back to the sender.').waitFor()
  await lee.page
    .locator('#thread')
    .getByText(/^TK-\d+ completed by Mia Maker$/)
    .waitFor()
  const words = await visitor.words()
  assert.equal(
    words.some((text) => text.includes('TK-')),
    false,
    'the customer is told nothing of tasks',
  )
  await look(lee, 'desk-task-done')
})

test('a note names a colleague, who finds it among the mentions', async () => {
  await kim.page.goto(`${server.url}/admin/mentions`)
  await kim.page.getByText('No note mentions you yet.').waitFor()
  await lee.page.locator('[data-mode=note]').click()
  const text = lee.page.locator('#chat-text')
  await text.pressSequentially('Please have a look, @ki')
  await lee.page.locator('.mention-list').getByText('Kim Keller').waitFor()
  await look(lee, 'desk-mention-choice')
  await text.press('Enter')
  assert.equal(await text.inputValue(), 'Please have a look, @Kim Keller ')
  await text.press('Control+Enter')
  await kim.page.locator('[data-changed]').click()
  await kim.page.getByText('Please have a look, @Kim Keller').waitFor()
  await look(kim, 'desk-mentions')
  await kim.page.getByRole('link', { name: /^Conversation/ }).click()
  await kim.page.locator('#thread').getByText('Please have a look').waitFor()
  await kim.page.goto(`${server.url}/admin/mentions`)
  await kim.page.getByText('Please have a look').waitFor()
  assert.equal(await kim.page.getByText('New', { exact: true }).count(), 0, 'it is read')
})

test('a complaint is acknowledged, investigated and answered by two', async () => {
  const trader = await new Trader(browser, server, 'complains@example.com').open()
  await trader.register()
  rae = await comeToDesk(browser, server, 'rae')
  vera = await comeToDesk(browser, server, 'vera')
  await rae.page.goto(`${server.url}/admin/complaints`)
  await lee.page.goto(`${server.url}/admin/traders?q=complains@example.com`)
  await lee.page.locator('main a[href^="/admin/traders/"]').first().click()
  await lee.page.getByRole('link', { name: 'Complaints', exact: true }).last().click()
  await lee.page.getByRole('button', { name: 'Register a complaint' }).click()
  const form = lee.dialog()
  await form.getByLabel('Received by').selectOption({ label: 'Phone' })
  await form.getByLabel('Category').selectOption({ label: 'Withdrawal' })
  await form
    .getByLabel('What the trader complains about')
    .fill('The withdrawal took nine days, and nobody said why.')
  await form.getByLabel('Amount claimed').fill('1,250.50')
  await look(lee, 'desk-complaint-form')
  await form.getByRole('button', { name: 'Register', exact: true }).click()
  await lee.page.locator('#detail').getByText('The withdrawal took nine days').waitFor()
  await rae.page.locator('[data-changed]').click()
  await row(rae, 'The withdrawal took nine days').getByRole('link').first().click()
  const act = async (member, open, confirm, fill = async () => {}) => {
    await member.page.locator('#detail').getByRole('button', { name: open, exact: true }).click()
    await fill(member.dialog())
    await member.dialog().locator('button[type=submit]').filter({ hasText: confirm }).click()
    await member.dialog().waitFor({ state: 'hidden' })
  }
  await act(rae, 'Acknowledge', 'Send', async () => look(rae, 'desk-complaint-acknowledge'))
  await act(rae, 'Investigate', 'Start')
  await act(rae, 'Propose answer', 'Propose', async (dialog) => {
    await dialog.getByLabel('Outcome').selectOption({ label: 'Upheld' })
    await dialog.getByLabel('Redress').fill('25 USDT')
    await dialog.getByLabel('Root cause').fill('Nobody was on duty on Sunday.')
    await dialog.getByLabel('Answer to the trader').fill('We are sorry. We credit you 25 USDT.')
    await look(rae, 'desk-complaint-propose')
  })
  await rae.page.locator('#detail').getByText('Awaiting second approval').first().waitFor()
  assert.equal(await rae.page.getByRole('button', { name: 'Approve answer' }).isDisabled(), true)
  await vera.page.goto(rae.page.url())
  await act(vera, 'Approve answer', 'Approve and send', async (dialog) => {
    await dialog.getByLabel('Code').fill(await vera.code())
    await look(vera, 'desk-complaint-agree')
  })
  await rae.page.locator('#detail').getByText('Final answer').waitFor()
  await look(rae, 'desk-complaint')
  await act(rae, 'Close', 'Close')
  await lee.page.locator('#detail').getByText('Closed').first().waitFor()
})
