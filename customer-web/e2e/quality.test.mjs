// A lead draws a sample of decided identities and reviews it again without knowing the decision; the page then says how often both agree.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { submitApplications } from './lib/applicants.mjs'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { inChinese, picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'

let browser
let server
let cleo
let rae

before(async () => {
  browser = await launch()
  server = await startServer()
  await submitApplications(server, 3)
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
  await inChinese(member.page, name)
}

test('a reviewer decides, and the queue can be ordered by risk', async () => {
  rae = await comeToDesk(browser, server, 'rae')
  await rae.page.goto(`${server.url}/admin/identity?order=risk`)
  await rae.page.getByText('Highest risk first').first().waitFor()
  await look(rae, 'identity-by-risk')
  await rae.approveIdentity()
})

test('a lead reviews a sample again', async () => {
  cleo = await comeToDesk(browser, server, 'cleo')
  const { page } = cleo
  await page.goto(`${server.url}/admin/identity`)
  await page.getByRole('link', { name: 'Quality' }).click()
  await page.getByRole('button', { name: 'Draw a sample…' }).click()
  const thisWeek = await cleo
    .dialog()
    .getByLabel('Decided in')
    .locator('option')
    .first()
    .getAttribute('value')
  await cleo.dialog().getByLabel('Decided in').selectOption(thisWeek)
  await cleo.dialog().getByLabel('Share, %').fill('50')
  await look(cleo, 'quality-draw')
  await cleo.dialog().getByRole('button', { name: 'Draw' }).click()
  await page.getByText('1 sample drawn.').waitFor()
  await look(cleo, 'quality-waiting')
  await page.getByRole('link', { name: /^Sample / }).click()
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('[data-review] img')]
    return all.length > 1 && all.every((one) => one.complete && one.naturalWidth > 0)
  })
  const shown = await page.locator('main').innerText()
  assert.doesNotMatch(shown, /Rae Review|ID-\d|Accepted/)
  await look(cleo, 'quality-blind')
  await page.getByRole('button', { name: 'Give your decision…' }).click()
  await cleo.dialog().getByLabel('Decision').selectOption('approved')
  await look(cleo, 'quality-verdict')
  await cleo.dialog().getByRole('button', { name: 'Save decision' }).click()
  await page.getByText(/you agree\. The first review ended with: Approved\./).waitFor()
  await page.getByText('100%').waitFor()
  await look(cleo, 'quality-done')
})

test('nothing went wrong behind the pages', () => {
  for (const one of [cleo, rae]) assert.deepEqual(one.problems, [])
})
