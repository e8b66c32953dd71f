// A lead sets up the chat: support hours with breaks and holidays, service times, and macros, which an agent runs.
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

before(async () => {
  browser = await launch()
  server = await startServer()
  kim = await comeToDesk(browser, server, 'kim')
  lee = await comeToDesk(browser, server, 'lee')
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function look(member, name) {
  const { page } = member
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await check(page, `${name} at ${width}`)
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    assert.equal(sideways, false, `${name} at ${width} scrolls sideways`)
    await picture(page, name)
  }
}

/** Chooses a queue; an answer that is still coming may replace the choice, which is then made again. */
async function queue(page, choice, shown) {
  await waitFor(async () => {
    await page.getByLabel('Queue').selectOption(choice)
    return shown.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
  }, 15_000)
}

/** What a visitor of the app reads on the holiday. */
async function closedForTraders() {
  const context = await browser.newContext({ timezoneId: 'Asia/Shanghai', locale: 'en-GB' })
  const page = await context.newPage()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${server.url}/#/kefu`)
    await page.getByText('No agents are online right now.', { exact: false }).waitFor()
    await page.getByText(/We reply .*16:00–19:00.* \/ .*20:00–01:00/).waitFor()
    await page.getByText(/Holidays: .* closed\./).waitFor()
    await picture(page, 'kefu-holiday')
  }
  await context.close()
}

test('the lead sets the hours, with breaks and holidays', async () => {
  const { page } = kim
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(Date.now())
  await page.goto(`${server.url}/admin/chat/hours`)
  await page.getByText('No hours set', { exact: false }).waitFor()
  await look(kim, 'desk-chat-hours-none')
  await page.getByRole('button', { name: 'Set hours' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
  const monday = page.getByRole('group', { name: 'Monday' })
  const add = monday.getByRole('button', { name: 'Add time slot' })
  await monday.getByLabel('Monday to').fill('12:00')
  await add.click()
  await monday.getByLabel('Monday from').nth(1).fill('13')
  await monday.getByLabel('Monday to').nth(1).fill('11:00')
  await page.getByRole('button', { name: 'Copy Monday to weekdays' }).click()
  await page.getByRole('group', { name: 'Friday' }).getByLabel('Friday to').nth(1).waitFor()
  await page.getByRole('button', { name: 'Add holiday' }).click()
  await page.locator('#holiday-0-date:focus').waitFor() // the new row takes the focus
  await page.getByLabel('Date', { exact: true }).fill(today)
  await page.getByLabel('Name', { exact: true }).fill('Company day')
  await page.getByRole('button', { name: 'Add holiday' }).click()
  await page.locator('#holiday-1-date:focus').waitFor()
  await page.getByLabel('Date', { exact: true }).nth(1).fill('2099-12-24')
  await page.getByLabel('Name', { exact: true }).nth(1).fill('Christmas Eve')
  const eve = page.getByRole('group', { name: 'Christmas Eve' })
  await page.getByRole('button', { name: 'Add time slot' }).last().click()
  await eve.getByLabel('Christmas Eve to').fill('12:00')
  await page.getByRole('button', { name: 'Save hours' }).click()
  await monday.getByText('Use 24-hour times', { exact: false }).waitFor()
  await look(kim, 'desk-chat-hours-refused')
  await monday.getByLabel('Monday to').nth(1).fill('18:00')
  await page.getByRole('button', { name: 'Copy Monday to weekdays' }).click()
  await page.getByRole('button', { name: 'Save hours' }).click()
  await page.getByText('Hours saved.').waitFor()
  await look(kim, 'desk-chat-hours')
  await queue(page, 'ar', page.getByText('uses the hours of all languages', { exact: false }))
  await look(kim, 'desk-chat-hours-language')
  await closedForTraders()
  await lee.page.goto(`${server.url}/admin/chat/hours`)
  await lee.page.getByText('09:00–12:00, 13:00–18:00').first().waitFor()
  assert.equal(
    await lee.page.getByRole('button', { name: 'Save hours' }).count(),
    0,
    'an agent reads them',
  )
  await look(lee, 'desk-chat-hours-read')
  await queue(page, { index: 0 }, page.getByRole('button', { name: 'Remove all hours' }))
  await page.getByRole('button', { name: 'Remove all hours' }).click()
  await page.getByText('Save to remove these hours', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Save hours' }).click()
  await page.getByText('No hours set', { exact: false }).waitFor()
})

test('the lead sets the service times, for all languages and for one', async () => {
  const { page } = kim
  await page.goto(`${server.url}/admin/chat/times`)
  await look(kim, 'desk-chat-times')
  await page.getByLabel('Normal, Resolution').fill('24:00')
  await page.getByLabel('Urgent, First reply').fill('2 min')
  await page.getByRole('button', { name: 'Save times' }).click()
  await page.getByText('up to 720:00', { exact: false }).waitFor()
  await look(kim, 'desk-chat-times-refused')
  await page.getByLabel('Urgent, First reply').fill('0:02')
  await page.getByRole('button', { name: 'Save times' }).click()
  await page.getByText('Service times saved.').waitFor()
  const own = page.getByRole('button', { name: 'Set its own times' })
  await queue(page, 'ar', own)
  await own.click()
  await page.getByLabel('Urgent, First reply').fill('0:05')
  await page.getByRole('button', { name: 'Save times' }).click()
  await page.getByText('Service times saved.').waitFor()
  await look(kim, 'desk-chat-times-language')
  await lee.page.goto(`${server.url}/admin/chat/times`)
  await lee.page.getByText('24:00').waitFor()
  assert.equal(
    await lee.page.getByRole('button', { name: 'Save times' }).count(),
    0,
    'an agent reads them',
  )
  await look(lee, 'desk-chat-times-read')
})

test('the lead sets macros', async () => {
  const { page } = kim
  await page.goto(`${server.url}/admin/chat/answers`)
  await page.getByRole('button', { name: 'Add answer' }).click()
  await kim.dialog().getByLabel('Name').fill('duplicate')
  await kim
    .dialog()
    .getByLabel('Text')
    .fill('We answer this in your other conversation. I close this one. {{agent}}')
  await kim.dialog().getByRole('button', { name: 'Save' }).click()
  await kim.dialog().waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Macros' }).click()
  await page.getByText('No macros yet', { exact: false }).waitFor()
  await look(kim, 'desk-chat-macros-none')
  await page.getByRole('button', { name: 'Add macro' }).click()
  await kim.dialog().getByLabel('Name').fill('Duplicate')
  await kim.dialog().getByRole('button', { name: 'Save' }).click()
  await kim.dialog().getByText('Choose at least one step.').waitFor()
  await kim.dialog().getByLabel('Key').selectOption('1')
  await kim.dialog().getByLabel('Send').selectOption('duplicate')
  await kim.dialog().getByLabel('Account').check()
  await kim.dialog().getByLabel('Then').selectOption('resolve')
  await look(kim, 'desk-chat-macro')
  await kim.dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByText('Send /duplicate → Add Account → Resolve').waitFor()
  await page.getByRole('button', { name: 'Add macro' }).click()
  await kim.dialog().getByLabel('Name').fill('Wait for finance')
  await kim.dialog().getByLabel('Key').selectOption('2')
  await kim.dialog().getByLabel('Priority').selectOption('high')
  await kim.dialog().getByLabel('Then').selectOption('snooze.hours')
  await kim.dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByText('Priority High → Snooze: In 4 hours').waitFor()
  await look(kim, 'desk-chat-macros')
})

test('an agent runs a macro by its key, and from the list', async () => {
  const { page } = lee
  await page.goto(`${server.url}/admin/chat`)
  await takeChats(lee)
  const visitor = new Visitor(server, 'en', 'Asia/Shanghai')
  await visitor.say('Where is my withdrawal?')
  await waitFor(async () => (await visitor.thread()).agentName === 'Lee Lang')
  await page
    .getByRole('link', { name: /^Visitor/ })
    .first()
    .click()
  await page.locator('#thread').getByText('Where is my withdrawal?').waitFor()
  await page.getByText('first reply, target 10 min').waitFor()
  await page.locator('#thread').focus()
  await page.keyboard.press('Shift+Digit2')
  await page.getByText('Ran “Wait for finance”.').waitFor()
  await waitFor(async () => (await visitor.thread()).state === 'snoozed')
  await page.getByText('High', { exact: true }).first().waitFor()
  await visitor.say('Are you there?')
  await page.locator('#thread').getByText('Are you there?').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#thread').focus()
  await page.keyboard.press('m')
  await lee
    .dialog()
    .getByText('We answer this in your other conversation. I close this one. Lee Lang')
    .waitFor()
  await look(lee, 'desk-chat-macros-run')
  await page.keyboard.press('1')
  await page.getByText('Ran “Duplicate”.').waitFor()
  await waitFor(async () => (await visitor.thread()).state === 'resolved')
  assert.equal(
    (await visitor.words()).at(-1),
    'We answer this in your other conversation. I close this one. Lee Lang',
  )
  await look(lee, 'desk-chat-macro-ran')
  await page.locator('#thread').focus()
  await page.keyboard.press('Shift+Digit1')
  assert.equal(
    (await visitor.words()).filter((text) => text.startsWith('We answer this')).length,
    1,
    'what is resolved is not its own any more',
  )
})

test('the settings read in Chinese', async () => {
  const { page } = kim
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${server.url}/admin/chat/hours`)
  await page.getByRole('button', { name: 'Set hours' }).click()
  await page.getByRole('button', { name: 'Save hours' }).click()
  await page.getByText('Hours saved.').waitFor()
  await page.getByRole('button', { name: '简体中文' }).click()
  await page.waitForFunction(() => document.documentElement.lang.startsWith('zh'))
  for (const name of ['hours', 'times', 'macros', 'answers']) {
    await page.goto(`${server.url}/admin/chat/${name}`)
    await look(kim, `zh-chat-${name}`)
  }
})

test('nothing went wrong on their pages', () => {
  assert.deepEqual(kim.problems, [])
  assert.deepEqual(lee.problems, [])
})
