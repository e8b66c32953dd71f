// A notice in three languages: an editor writes it, a publisher approves it, its start time comes, and traders read it in their language or the nearest one.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { skipWait, startServer, waitFor } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { Trader } from './lib/trader.mjs'

const TITLES = {
  en: 'Trading pauses on Sunday',
  zh_CN: '周日暂停交易',
  ar: 'يتوقف التداول يوم الأحد',
}
const BODIES = { en: 'We update our servers.', zh_CN: '我们更新服务器。', ar: 'نحدّث خوادمنا.' }

let browser
let server
let editor
let publisher
let trader
let address

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Calls the API as the app does, with the trader's session, or as a visitor. */
async function ask(path, { language = 'en', body, visitor = false } = {}) {
  const localtimes = String(Date.now())
  const sign = createHash('sha256').update(`${localtimes}candor-web`).digest('hex').slice(0, 10)
  const token = visitor ? '' : await trader.page.evaluate(() => localStorage.getItem('token'))
  const answer = await fetch(`${server.url}/client/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...{ language, localtimes, newsign: sign, platformType: '1' },
      ...(token ? { apptoken: token.replaceAll('"', '') } : {}),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code, data } = await answer.json()
  assert.equal(code, 'ok', path)
  return data
}

const unread = async () => (await ask('siteMail/findUnreadCount')).notices

/** Checks a page of the back office at phone and desktop width. */
async function look(page, name) {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.waitForTimeout(400)
    await check(page, `${name} at ${width}`)
    await picture(page, name)
  }
}

async function decide(member, button, act) {
  await member.page.goto(server.url + address)
  await member.page.getByRole('button', { name: button }).click()
  await member.dialog().getByRole('button', { name: act, exact: true }).click()
  await member.dialog().waitFor({ state: 'hidden' })
}

test('people take their desks, and a trader registers', async () => {
  editor = await comeToDesk(browser, server, 'ed')
  publisher = await comeToDesk(browser, server, 'pia')
  trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
})

test('an editor writes a notice in three languages, and sees how it looks', async () => {
  const { page } = editor
  await page.goto(`${server.url}/admin/content`)
  await look(page, 'desk-content')
  await page.getByRole('button', { name: 'New…' }).click()
  await editor.dialog().getByLabel('Type', { exact: true }).selectOption('notice')
  await check(page, 'the dialog of a new item')
  await editor.dialog().getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/admin\/content\/\d+$/)
  address = new URL(page.url()).pathname
  for (const [locale, title] of Object.entries(TITLES)) {
    await page.goto(`${server.url}${address}?locale=${locale}`)
    await page.getByLabel('Title', { exact: true }).fill(title)
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill(BODIES[locale])
    await page.getByRole('textbox', { name: 'Text', exact: true }).selectText()
    await page.getByRole('button', { name: 'Paragraph' }).click()
    if (locale === 'en') await page.getByLabel('Placement').selectOption('strip')
    for (const width of ['phone', 'desktop']) {
      const app = page.frameLocator(`.pv-${width} iframe`)
      await app.getByRole('link', { name: title }).first().waitFor()
      assert.equal(await app.locator('html').getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr')
    }
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Saved.', { exact: true }).first().waitFor()
  }
  await page.getByText('3 of 26').first().waitFor()
  await look(page, 'desk-content-ar')
  await page.goto(`${server.url}${address}?theme=dark`)
  const app = page.frameLocator('.pv-phone iframe')
  await app.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Light' }).click()
  await app.locator('html[data-theme="light"]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Opened' }).click()
  await app.getByRole('heading', { name: TITLES.en }).waitFor()
  await app.getByText(BODIES.en, { exact: true }).waitFor()
  await look(page, 'desk-content-opened')
  assert.equal(await unread(), 0, 'a draft is nobody’s news')
})

test('the preview leaves no traces, is no trader, and nobody else reads it', async () => {
  const { page } = editor
  await page.evaluate(() => localStorage.setItem('themeMode', 'dark'))
  await page.evaluate(() => localStorage.setItem('token', 'of-a-trader'))
  await page.goto(server.url + address)
  const app = page.frameLocator('.pv-desktop iframe')
  await app.getByRole('link', { name: 'Log in' }).first().waitFor()
  await app.locator('html[data-theme="light"]').waitFor({ state: 'attached' })
  await page.evaluate(() => localStorage.removeItem('token'))
  const kept = await page.evaluate(() => Object.keys(localStorage))
  assert.deepEqual(
    kept.filter((key) => ['token', 'locale', 'banners', 'preferences'].includes(key)),
    [],
  )
  for (const path of ['content-preview', 'content-preview/client/api/findByBannerList']) {
    const answer = await fetch(`${server.url}/admin/${path}`, { redirect: 'manual' })
    assert.equal(answer.status, 303, 'whoever is no staff signs in first')
  }
})

test('a translator sees the source, and a switch of the language keeps what is typed', async () => {
  const { page } = editor
  const title = page.getByLabel('Title', { exact: true })
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await page.goto(`${server.url}${address}?locale=ko`)
  await page.locator('#source').getByText(BODIES.en, { exact: true }).waitFor()
  await page.getByText(/^No 한국어 text yet/).waitFor()
  const app = page.frameLocator('.pv-phone iframe')
  await app.getByRole('link', { name: TITLES.en }).first().waitFor()
  await look(page, 'desk-content-translate')
  await page.locator('#source select').selectOption('zh_CN')
  await page.locator('#source').getByText(BODIES.zh_CN, { exact: true }).waitFor()
  await title.fill('일요일 휴장')
  await text.fill('서버를 점검합니다.')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.waitForURL(/locale=de/)
  await page.getByText('4 of 26').first().waitFor()
  assert.equal(await title.inputValue(), '')
  await page.getByRole('link', { name: '한국어' }).click()
  await page.waitForURL(/locale=ko/)
  assert.equal(await title.inputValue(), '일요일 휴장')
  await title.fill('')
  await text.fill('')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('3 of 26').first().waitFor()
})

test('it waits for its second person and for its moment', async () => {
  const { page } = editor
  await page.goto(server.url + address)
  const soon = new Date(Date.now() + 120_000)
  const local = new Date(soon.getTime() - soon.getTimezoneOffset() * 60_000)
  await page.getByLabel('Shown from').fill(local.toISOString().slice(0, 16))
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Saved.', { exact: true }).first().waitFor()
  await decide(editor, 'Submit for review…', 'Submit for review')
  assert.equal(await page.getByRole('button', { name: 'Publish…' }).count(), 0)
  await publisher.page.goto(`${server.url}${address}?locale=en`)
  await look(publisher.page, 'desk-content-review')
  await publisher.page.getByRole('button', { name: 'Publish…' }).click()
  await check(publisher.page, 'the dialog that publishes')
  await picture(publisher.page, 'desk-content-publish')
  await publisher.dialog().getByRole('button', { name: 'Publish', exact: true }).click()
  await publisher.dialog().waitFor({ state: 'hidden' })
  await publisher.page.getByText('Scheduled, not live').first().waitFor()
  assert.equal((await ask('siteMail/findSiteMailPage')).total, 0, 'scheduled is not live')
  assert.equal(await skipWait(server, 'notices'), 1)
  await waitFor(async () => (await unread()) === 1)
})

test('every language has the text that is nearest to it', async () => {
  for (const [language, want] of [
    ['en', 'en'],
    ['zh_CN', 'zh_CN'],
    ['ar', 'ar'],
    ['ko', 'en'],
  ]) {
    const [mail] = (await ask('siteMail/findSiteMailPage', { language, visitor: true })).list
    assert.deepEqual([mail.title, mail.locale, mail.placement], [TITLES[want], want, 'strip'])
    const detail = await ask(`siteMail/findSiteMailDetail?id=${mail.id}`, { language })
    assert.deepEqual([detail.body, detail.read], [`<p>${BODIES[want]}</p>`, false])
  }
})

/** Opens the list of notices in a language and returns the notice's row. */
async function listIn(reader, language, title) {
  await reader.page.goto(`${server.url}/?lang=${language}#/notice`)
  const row = reader.page.getByRole('main').getByRole('link', { name: title })
  await row.waitFor()
  return row
}

/** Opens a row and checks the notice. */
async function open(reader, row, { title, body, direction }) {
  await row.click()
  const article = reader.page.getByRole('article')
  const heading = article.getByRole('heading', { name: title, level: 2 })
  await heading.waitFor()
  await article.getByText(body, { exact: true }).waitFor()
  assert.equal(await heading.getAttribute('dir'), direction)
  const page = await reader.page.evaluate(() => document.documentElement.dir)
  assert.equal(page, direction, 'the page and the text are read the same way')
}

test('a trader hears of it, and reads it in each of its languages', async () => {
  const { page } = trader
  await trader.go('/home/index')
  await page.getByRole('link', { name: 'Notices, 1 unread' }).first().waitFor()
  for (const [language, title] of Object.entries(TITLES)) {
    const row = await listIn(trader, language, title)
    const first = language === 'en'
    await row.getByText('Unread:').waitFor({ state: first ? 'attached' : 'detached' })
    for (const width of first ? [390, 1440] : [1440]) {
      await page.setViewportSize({ width, height: 900 })
      await row.waitFor()
      await checkBothThemes(page, `notices in ${language} at ${width}`)
      await picture(page, `notice-list-${language}`)
    }
    const direction = language === 'ar' ? 'rtl' : 'ltr'
    await open(trader, row, { title, body: BODIES[language], direction })
    await waitFor(async () => (await unread()) === 0)
    await checkBothThemes(page, `a notice in ${language}`)
    await picture(page, `notice-${language}`)
  }
  await listIn(trader, 'en', TITLES.en)
  await page.getByRole('link', { name: 'Notices', exact: true }).first().waitFor()
  assert.equal(await page.getByRole('link', { name: /unread/ }).count(), 0)
})

test('a visitor whose language the app does not speak reads it in English', async () => {
  const visitor = await new Trader(browser, server, 'nobody@trader.example', 390).open()
  const row = await listIn(visitor, 'ko', TITLES.en)
  assert.equal(await row.getByText('Unread:').count(), 0, 'a visitor has no mailbox')
  await open(visitor, row, { title: TITLES.en, body: BODIES.en, direction: 'ltr' })
  assert.deepEqual(visitor.problems, [])
  await visitor.close()
})

test('each reader is counted once, and each click', async () => {
  const figure = (name) =>
    publisher.page.locator('.stat-box', { hasText: name }).locator('.v').innerText()
  const counted = async () => {
    await publisher.page.goto(server.url + address)
    return [(await figure('Readers')).trim(), (await figure('Clicks')).trim()]
  }
  await waitFor(async () => (await counted()).join() === '2,4')
})

test('a publisher takes it down at once', async () => {
  await publisher.page.getByRole('button', { name: 'Take down…' }).click()
  await publisher.dialog().getByLabel('Reason').fill('The work was cancelled.')
  await publisher.dialog().getByRole('button', { name: 'Take down', exact: true }).click()
  await publisher.dialog().waitFor({ state: 'hidden' })
  await trader.page.getByText('No notices yet.').waitFor()
  assert.equal((await ask('siteMail/findSiteMailPage')).total, 0)
  await look(publisher.page, 'desk-content-down')
  for (const one of [editor, publisher, trader]) assert.deepEqual(one.problems, [])
})

test('an editor goes back to what was taken down, for one platform', async () => {
  const { page } = editor
  await page.goto(server.url + address)
  await page.getByLabel('Title', { exact: true }).fill('Trading pauses on Monday')
  await page.getByLabel('Only on these platforms').selectOption({ label: 'Web app' })
  await page.getByRole('button', { name: 'Save as new revision' }).click()
  await page.getByText('Saved.', { exact: true }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Restore this revision' }).count(), 0)
  await decide(editor, 'Submit for review…', 'Submit for review')
  await decide(publisher, 'Publish…', 'Publish')
  await trader.page.getByRole('link', { name: 'Trading pauses on Monday' }).waitFor()
  await page.goto(server.url + address)
  await look(page, 'desk-content-revisions')
  await page.getByRole('button', { name: 'Restore this revision' }).click()
  await page.getByText('Draft created from revision 1.').first().waitFor()
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), TITLES.en)
  assert.equal(await page.getByLabel('Only on these platforms').inputValue(), '')
})
