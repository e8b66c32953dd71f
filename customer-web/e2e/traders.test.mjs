// Staff look after a trader: a lead keeps the list of tags and an agent puts them on, a maker adjusts for a case of the same trader, compliance reads who shares
// a device, and an agent sees what the trader sees.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { inChinese, picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { picture as photo, Trader } from './lib/trader.mjs'

let browser
let server
let trader
let uid
let deposit
let kim
let lee
let mia
let rae

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
  await inChinese(member.page, name)
}

test('a trader pays in, and another registers on the same device', async () => {
  mia = await comeToDesk(browser, server, 'mia')
  mia.checker = await comeToDesk(browser, server, 'lea')
  trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  deposit = await trader.deposit('1500')
  await mia.approveDeposit(deposit, '1500.00', 'BANK-REF-0001')
  await mia.page.goto(`${server.url}/admin/traders?q=tess@trader.example`)
  const link = mia.page.locator('main a[href^="/admin/traders/"]').first()
  uid = (await link.getAttribute('href')).match(/\d+/)[0]

  const twin = Object.assign(new Trader(browser, server, 'twin@trader.example'), {
    context: trader.context,
    page: trader.page,
    problems: trader.problems,
  })
  await trader.page.evaluate(() => localStorage.removeItem('token'))
  await trader.page.reload()
  await twin.register()
})

test('a lead lists tags, and an agent puts them on', async () => {
  kim = await comeToDesk(browser, server, 'kim')
  lee = await comeToDesk(browser, server, 'lee')
  await kim.page.goto(`${server.url}/admin/tags`)
  for (const [name, colour] of [
    ['Key client', 'violet'],
    ['Call back in the evening', 'amber'],
    ['Chargeback risk', 'red'],
  ]) {
    await kim.page.getByRole('button', { name: 'New tag' }).click()
    await kim.dialog().getByLabel('Name').fill(name)
    await kim.dialog().getByLabel('Colour').selectOption(colour)
    await kim.dialog().getByRole('button', { name: 'Add tag' }).click()
    await kim.page.getByText(`added the tag ${name}`).waitFor()
  }
  await look(kim, 'tags')
  await kim.page.getByRole('button', { name: 'Retire…' }).click()
  await look(kim, 'tag-retire')
  await kim.dialog().getByRole('button', { name: 'Retire' }).click()
  await kim.page.getByText('Tag Chargeback risk retired.').waitFor()

  await lee.page.goto(`${server.url}/admin/traders/${uid}`)
  await lee.page.getByRole('button', { name: 'Tags…' }).click()
  assert.equal(await lee.dialog().getByLabel('Chargeback risk').count(), 0, 'it is retired')
  await lee.dialog().getByLabel('Key client').check()
  await lee.dialog().getByLabel('Call back in the evening').check()
  await look(lee, 'trader-tags-dialog')
  await lee.dialog().getByRole('button', { name: 'Save tags' }).click()
  await lee.page.getByText('put the tag Key client on').first().waitFor()
  await look(lee, 'trader-tags')
  await lee.page.goto(`${server.url}/admin/traders`)
  await lee.page
    .getByRole('button', { name: /Filter/ })
    .first()
    .click()
  await lee.dialog().getByLabel('Tag').selectOption({ label: 'Key client' })
  await lee
    .dialog()
    .getByRole('button', { name: /Apply|Show/ })
    .click()
  await lee.page.getByRole('link', { name: uid }).waitFor()
  assert.equal(await lee.page.locator('main a[href^="/admin/traders/"]').count(), 1)
  await look(lee, 'traders-by-tag')
})

test('an adjustment answers a case of the same trader', async () => {
  await mia.page.goto(`${server.url}/admin/traders/${uid}/funds`)
  await mia.page.getByRole('button', { name: 'Adjust…' }).click()
  const form = mia.dialog()
  await form.getByLabel('Direction').selectOption('in')
  await form.getByLabel('Amount', { exact: true }).fill('25.50')
  await form.getByLabel('Repeat the amount').fill('25.50')
  await form.getByLabel('Currency').fill('USDT')
  await form.getByLabel('Reason').selectOption('missed_credit')
  await form.getByLabel('What it answers').selectOption('withdrawal')
  await form.getByLabel('Number').fill(deposit)
  await form.getByLabel('What happened').fill('The bank line had 25.50 more.')
  await form.getByRole('button', { name: 'Request adjustment' }).click()
  await form.getByText('There is no such case.').waitFor()
  await look(mia, 'adjustment-refused')
  await form.getByLabel('What it answers').selectOption('deposit')
  await form.getByRole('button', { name: 'Request adjustment' }).click()
  await mia.page.waitForURL(/\/admin\/adjustments\/\d+$/)
  assert.equal(
    await mia.page.locator(`a[href="/admin/deposits/${deposit.replace('DP-', '')}"]`).count(),
    2,
    'in the list and on its page',
  )
  await mia.page.getByRole('button', { name: 'Add evidence…' }).click()
  await mia
    .dialog()
    .getByLabel('File')
    .setInputFiles({
      name: 'line.png',
      mimeType: 'image/png',
      buffer: photo(640, 420),
    })
  await look(mia, 'adjustment-evidence')
  await mia.dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await mia.page.getByText('added evidence to').waitFor()
  await mia.page.waitForFunction(() => document.querySelector('[data-viewer] img')?.naturalWidth)
  await look(mia, 'adjustment-case')
})

test('compliance reads who shares a device', async () => {
  rae = await comeToDesk(browser, server, 'rae')
  await rae.page.goto(`${server.url}/admin/traders/${uid}/relations`)
  await rae.page.getByRole('row').filter({ hasText: 'Device' }).waitFor()
  await look(rae, 'relations')
})

test('an agent sees what the trader sees', async () => {
  await lee.page.goto(`${server.url}/admin/traders/${uid}`)
  await lee.page.getByRole('button', { name: 'View as…' }).click()
  await lee.dialog().getByLabel('Why you need it').fill('The trader asks where the deposit is')
  await look(lee, 'view-as-reason')
  await lee.dialog().getByRole('button', { name: 'Open' }).click()
  await lee.page.getByText('You see what the trader sees').waitFor()
  const shown = await lee.page.locator('main').innerText()
  assert.match(shown, /1,000–5,000/)
  assert.doesNotMatch(shown, /1,500/)
  await look(lee, 'view-as-support')
  await mia.page.goto(`${server.url}/admin/traders/${uid}`)
  await mia.page.getByRole('button', { name: 'View as…' }).click()
  await mia.dialog().getByLabel('Why you need it').fill('Checking what the trader reads')
  await mia.dialog().getByRole('button', { name: 'Open' }).click()
  await mia.page.getByText('You see what the trader sees').waitFor()
  assert.match(await mia.page.locator('main').innerText(), /1,500\.00/)
  await look(mia, 'view-as-finance')
  const rick = await comeToDesk(browser, server, 'rick')
  await rick.page.goto(`${server.url}/admin/traders/${uid}`)
  await look(rick, 'trader-risk')
})

test('nothing went wrong behind the pages', () => {
  for (const one of [trader, kim, lee, mia, rae]) assert.deepEqual(one.problems, [])
})
