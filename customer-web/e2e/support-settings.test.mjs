// A lead sets up the chat: the support hours with breaks and holidays.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'

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

test('the lead sets the hours, with breaks and holidays', async () => {
  const { page } = kim
  await page.goto(`${server.url}/admin/chat/hours`)
  await page.getByText('No hours set', { exact: false }).waitFor()
  await look(kim, 'desk-chat-hours-none')
  await page.getByRole('button', { name: 'Set hours' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
  const monday = page.getByRole('group', { name: 'Monday' })
  const add = monday.getByRole('button', { name: 'Add span' })
  await monday.getByLabel('Monday to').fill('12:00')
  await add.click()
  await monday.getByLabel('Monday from').nth(1).fill('13')
  await monday.getByLabel('Monday to').nth(1).fill('11:00')
  await page.getByRole('button', { name: 'Copy Monday to weekdays' }).click()
  await page.getByRole('group', { name: 'Friday' }).getByLabel('Friday to').nth(1).waitFor()
  await page.getByRole('button', { name: 'Add holiday' }).click()
  await page.getByLabel('Date', { exact: true }).fill('2099-12-25')
  await page.getByLabel('Name', { exact: true }).fill('Christmas Day')
  await page.getByRole('button', { name: 'Add holiday' }).click()
  await page.getByLabel('Date', { exact: true }).nth(1).fill('2099-12-24')
  await page.getByLabel('Name', { exact: true }).nth(1).fill('Christmas Eve')
  const eve = page.getByRole('group', { name: 'Christmas Eve' })
  await page.getByRole('button', { name: 'Add span' }).last().click()
  await eve.getByLabel('Christmas Eve to').fill('12:00')
  await page.getByRole('button', { name: 'Save hours' }).click()
  await monday.getByText('Use 24-hour times', { exact: false }).waitFor()
  await look(kim, 'desk-chat-hours-refused')
  await monday.getByLabel('Monday to').nth(1).fill('18:00')
  await page.getByRole('button', { name: 'Copy Monday to weekdays' }).click()
  await page.getByRole('button', { name: 'Save hours' }).click()
  await page.getByText('Hours saved.').waitFor()
  await look(kim, 'desk-chat-hours')
  await page.getByLabel('Queue').selectOption('ar')
  await page.getByText('uses the hours of all languages', { exact: false }).waitFor()
  await look(kim, 'desk-chat-hours-language')
  await lee.page.goto(`${server.url}/admin/chat/hours`)
  await lee.page.getByText('09:00–12:00, 13:00–18:00').first().waitFor()
  assert.equal(await lee.page.getByRole('button', { name: 'Save hours' }).count(), 0, 'an agent reads them')
  await look(lee, 'desk-chat-hours-read')
  await page.getByLabel('Queue').selectOption({ index: 0 })
  await page.getByRole('button', { name: 'Remove all hours' }).click()
  await page.getByText('Save to remove these hours', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Save hours' }).click()
  await page.getByText('No hours set', { exact: false }).waitFor()
})

test('nothing went wrong on their pages', () => {
  assert.deepEqual(kim.problems, [])
  assert.deepEqual(lee.problems, [])
})
