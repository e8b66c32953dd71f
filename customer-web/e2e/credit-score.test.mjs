// A trader reads their credit score; an agent flags their conduct in a chat; the trader appeals, and a lead removes the flag; on a desktop and on a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { skipWait, startServer } from './lib/server.mjs'
import { comeToDesk, takeChats } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

let browser
let server
let agent
let lead

before(async () => {
  browser = await launch()
  server = await startServer()
  agent = await comeToDesk(browser, server, 'lee')
  lead = await comeToDesk(browser, server, 'kim')
  await agent.page.goto(`${server.url}/admin/chat`)
  await agent.page.locator('html[data-chat-live=on]').waitFor()
  await takeChats(agent)
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

async function look(one, name) {
  await picture(one.page, name)
  const where = `${name} at ${one.page.viewportSize().width}`
  if (one.page.url().includes('/admin')) await check(one.page, where)
  else await checkBothThemes(one.page, where)
}

const score = (trader) => trader.page.getByRole('meter').getAttribute('aria-valuenow')

/** Opens the page of the score anew, and waits for the number. */
async function openScore(trader, number) {
  await trader.go('/creditScore')
  await trader.page.reload()
  await trader.page.getByRole('meter').waitFor()
  assert.equal(await score(trader), String(number))
}

/** The trader writes in the chat, and the agent opens their conversation. */
async function talk(trader) {
  await trader.go('/kefu')
  await trader.page.getByLabel('Message', { exact: true }).fill('I know where you live')
  await trader.page.getByRole('button', { name: 'Send', exact: true }).click()
  await agent.page.goto(`${server.url}/admin/chat?tab=mine`)
  await agent.page.locator('article[id^=chat-] .who').first().click()
  await agent.page.locator('#thread').getByText('I know where you live').waitFor()
}

/** The agent flags the conduct of the conversation on their page. */
async function flag() {
  const { page } = agent
  await page.getByRole('button', { name: 'Flag conduct' }).click()
  const dialog = agent.dialog()
  await dialog.getByLabel('Reason').selectOption('threats')
  await dialog.getByLabel('What happened').fill('too short')
  await dialog.getByRole('button', { name: 'Flag', exact: true }).click()
  await dialog.getByText('too short or too long', { exact: false }).waitFor()
  await dialog.getByLabel('What happened').fill('Said: I know where you live.')
  await look(agent, 'flag-dialog')
  await dialog.getByRole('button', { name: 'Flag', exact: true }).click()
  await page.getByText('Conduct flagged. The trader was told.').first().waitFor()
}

/** The trader appeals, after a text that is too short. */
async function appeal(trader) {
  const { page } = trader
  await page.getByText('Threats', { exact: true }).waitFor()
  await look(trader, 'score-flag')
  await page.getByRole('button', { name: 'Appeal', exact: true }).click()
  await page.getByLabel('What do you want us to know?').fill('No')
  await trader.button('Send appeal').click()
  await page.getByText('This is too short or too long.').waitFor()
  await page.getByLabel('What do you want us to know?').fill('I was quoting a film we both like.')
  await look(trader, 'score-appeal')
  await trader.button('Send appeal').click()
  await page.getByText('Under review', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Appeal', exact: true }).count(), 0)
}

/** The lead removes the flag of the only appeal that waits. */
async function remove(name) {
  const { page } = lead
  await page.goto(`${server.url}/admin/chat/flags`)
  await page.getByText('Waiting', { exact: true }).first().waitFor()
  await look(lead, `appeals-${name}`)
  await page.setViewportSize({ width: 390, height: 844 })
  await look(lead, `appeals-${name}`)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Decide' }).first().click()
  await lead.dialog().getByText('I was quoting a film we both like.').waitFor()
  await look(lead, `appeal-${name}`)
  await lead.dialog().getByLabel('Decision').selectOption('removed')
  await lead.dialog().getByRole('button', { name: 'Decide' }).click()
  await page.getByText('Flag removed. The trader was told.').first().waitFor()
}

/** The next day's score. */
async function nextDay(trader, number) {
  assert.notEqual(await skipWait(server, 'scores'), 0)
  await openScore(trader, number)
}

for (const width of [1440, 390]) {
  test(`a score, a flag and an appeal at ${width}`, async () => {
    const trader = await new Trader(browser, server, `cora${width}@trader.example`, width).open()
    const { page } = trader
    try {
      await trader.register()
      await trader.go('/myCenter')
      await page.getByRole('link', { name: 'Credit score' }).first().click()
      await page.getByRole('meter').waitFor()
      assert.equal(await score(trader), '500')
      await page.getByText('It doesn’t come from a credit bureau', { exact: false }).waitFor()
      await page.getByText('This is the first day.', { exact: false }).waitFor()
      await look(trader, 'score-first')

      await talk(trader)
      await flag()
      await openScore(trader, 500)
      await nextDay(trader, 440)
      await appeal(trader)
      await remove(width)
      await agent.page.getByRole('button', { name: 'Resolve' }).click()
      await agent.page.getByText('Resolved.', { exact: true }).first().waitFor()

      await openScore(trader, 440)
      assert.equal(await page.getByText('Threats', { exact: true }).count(), 0)
      await look(trader, 'score')
      await page.getByRole('heading', { name: 'History' }).scrollIntoViewIfNeeded()
      await page.getByRole('table').scrollIntoViewIfNeeded()
      await look(trader, 'score-history')
      await trader.go('/notice?tab=messages')
      await page.getByText('Your appeal was accepted').first().waitFor()
      await page.getByText('A note about your conduct in chat').first().waitFor()
      assert.deepEqual(trader.problems, [])
    } catch (error) {
      for (const [name, one] of Object.entries({ trader, agent, lead }))
        await one.page
          .screenshot({ path: join(tmpdir(), `candor-score-${name}-${width}.png`) })
          .catch(() => {})
      throw error
    }
    await trader.close()
  })
}

test('staff read the score and can’t change it', async () => {
  await lead.page.goto(`${server.url}/admin/traders`)
  await lead.page.getByText('co•••', { exact: false }).first().waitFor()
  await lead.page.locator('a[href*="/admin/traders/1"]').first().click()
  await lead.page.getByText('Candor’s own score', { exact: false }).waitFor()
  await lead.page.getByText('Candor’s own score', { exact: false }).scrollIntoViewIfNeeded()
  await look(lead, 'trader-score')
  assert.deepEqual([...agent.problems, ...lead.problems], [])
})

test('a guest has no score', async () => {
  const guest = await new Trader(browser, server, 'guest@trader.example', 390).open()
  await guest.go('/home/index')
  await guest.button('Try with demo money').click()
  await guest.page.waitForURL((url) => url.hash.startsWith('#/trade'))
  await guest.go('/creditScore')
  await guest.page.getByText('Demo accounts have no credit score.', { exact: false }).waitFor()
  await look(guest, 'score-guest')
  await guest.close()
})
