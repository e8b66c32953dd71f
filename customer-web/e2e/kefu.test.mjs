// A visitor and a trader write to customer service: text, a picture, a card, and messages written offline.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture as shot } from './lib/pictures.mjs'
import { startServer, waitFor } from './lib/server.mjs'
import { PASSWORD, paper, Trader } from './lib/trader.mjs'

let browser
let server

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** The parts of the screen that a person uses. */
function chatOn(page) {
  const log = page.getByRole('log', { name: 'Conversation' })
  return {
    log,
    field: page.getByLabel('Message', { exact: true }),
    send: page.getByRole('button', { name: 'Send', exact: true }),
    /** The messages that contain these words. */
    said: (words) => log.getByRole('article').filter({ hasText: words }),
    sent: (words) =>
      log.getByRole('article').filter({ hasText: words }).getByText('Sent', { exact: true }),
  }
}

/** Runs an act as a trader or visitor; a failure saves a screenshot of the page. */
async function as(name, width, act) {
  const somebody = await new Trader(browser, server, `${name}@trader.example`, width).open()
  try {
    await act(somebody, somebody.page, chatOn(somebody.page))
    assert.deepEqual(somebody.problems, [])
  } catch (error) {
    await somebody.page
      .screenshot({ path: join(tmpdir(), `candor-kefu-${name}.png`) })
      .catch(() => {})
    throw error
  }
  await somebody.close()
}

/** Logs the trader out on this device. */
async function logOut(trader) {
  await trader.go('/myCenter')
  await trader.button('Log out').click()
  await trader.page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await trader.page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** Logs in again with the password: the device is known. */
async function logIn(trader) {
  await trader.go('/login')
  await trader.page.getByLabel('Email address').fill(trader.email)
  await trader.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await trader.page.keyboard.press('Enter')
  await trader.page.waitForURL((url) => !url.hash.startsWith('#/login'))
}

/** Chooses a file in the page's file dialog. */
async function choose(page, press, file) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press.click()])
  await chooser.setFiles(file)
}

for (const width of [390, 1440]) {
  test(`a visitor asks, shows a picture, and writes without a connection at ${width}`, () =>
    as(`visitor${width}`, width, async (visitor, page, chat) => {
      await visitor.go('/home/index')
      const actions = page.getByRole('navigation', { name: 'Quick actions' })
      await actions.getByRole('link', { name: 'Support' }).click()
      await page.getByRole('heading', { name: 'How can we help?' }).waitFor()
      await page.getByText(/We usually reply within/).waitFor()
      await shot(page, 'kefu-empty')
      await checkBothThemes(page, 'an empty conversation')

      await visitor.button('Where is my withdrawal?').click()
      await chat.sent('Where is my withdrawal?').waitFor()
      await page.getByText(/You’re number \D?\d\D? in the queue/).waitFor()
      await waitFor(() => chat.field.evaluate((one) => one === document.activeElement))

      await chat.field.fill('The password is Tr0ub4dor, can you look?')
      await chat.send.click()
      await chat.said('Candor staff never ask for passwords or codes.').waitFor()
      assert.equal(await chat.log.getByText('Tr0ub4dor').count(), 0)

      await choose(page, visitor.button('Attach a picture or PDF'), {
        name: 'screen.png',
        mimeType: 'image/png',
        buffer: paper(3),
      })
      await page.getByRole('img', { name: 'The picture that will be sent' }).waitFor()
      await chat.field.fill('This is what I see')
      await chat.send.click()
      await chat.sent('This is what I see').waitFor()
      await chat.log.getByRole('img', { name: 'Your picture' }).waitFor()
      await visitor.button('Your picture').click()
      await page.getByRole('dialog').getByRole('img', { name: 'Your picture' }).waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })

      await visitor.context.setOffline(true)
      await page.getByText(/No connection\. Your messages are saved here/).waitFor()
      for (const words of ['First without a connection', 'Second without a connection']) {
        await chat.field.fill(words)
        await chat.send.click()
      }
      await chat
        .said('Second without a connection')
        .getByText('Waiting for a connection')
        .first()
        .waitFor()
      // The field covers nothing once the new message has scrolled into view.
      await waitFor(async () => {
        const newest = await chat.said('Second without a connection').boundingBox()
        const below = await chat.field.boundingBox()
        return newest.y + newest.height <= below.y
      })
      await shot(page, 'kefu-offline')
      await visitor.context.setOffline(false)
      await chat.sent('Second without a connection').waitFor()
      const order = await chat.log.getByRole('article').allInnerTexts()
      const places = ['First', 'Second'].map((one) =>
        order.flatMap((text, at) => (text.includes(`${one} without`) ? [at] : [])),
      )
      assert.deepEqual(
        places.map((list) => list.length),
        [1, 1],
      )
      assert.ok(places[0][0] < places[1][0])

      await page.reload()
      await chat.sent('Second without a connection').waitFor()
      assert.equal(await chat.said('without a connection').count(), 2)
      await shot(page, 'kefu-thread')
      await check(page, 'a conversation')
    }))
}

test('what was written without a connection outlives a reload, and arrives once', () =>
  as('reload', 390, async (visitor, page, chat) => {
    await visitor.go('/kefu')
    await chat.field.fill('Before')
    await chat.send.click()
    await chat.sent('Before').waitFor()
    // The server stores the message but its answer is lost, so the app sends it again.
    const lose = async (route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/insertMessage', lose)
    await chat.field.fill('Kept over the reload')
    await Promise.all([page.waitForEvent('requestfailed'), chat.send.click()])
    await page.unroute('**/insertMessage', lose)
    await page.reload()
    await chat.sent('Kept over the reload').waitFor()
    await page.waitForFunction(() => localStorage.getItem('kefuOutbox') === null)
    assert.equal(await chat.said('Kept over the reload').count(), 1)
    await page.reload()
    await chat.sent('Kept over the reload').waitFor()
    assert.equal(await chat.said('Kept over the reload').count(), 1)
  }))

for (const width of [390, 1440]) {
  test(`a trader shows a deposit, and every open page has it, at ${width}`, () =>
    as(`trader${width}`, width, async (trader, page, chat) => {
      await trader.register()
      const number = await trader.deposit('250')
      await trader.go('/myCenter')
      await page.getByRole('link', { name: 'Customer service' }).click()
      await trader.button('Attach').first().click()
      const sheet = page.getByRole('dialog')
      await sheet.getByText('You have no orders yet.').waitFor()
      await sheet.getByRole('tab', { name: 'Deposits' }).click()
      await sheet.getByText(number).waitFor()
      await shot(page, 'kefu-attach')
      await check(page, 'what may be shown')
      await sheet.getByRole('button', { name: number }).click()
      await page.getByText(new RegExp(`Attached: Deposit \\D?${number}`)).waitFor()
      await chat.field.fill('Has it arrived?')
      await chat.field.press(trader.phone ? 'End' : 'Enter')
      if (trader.phone) await chat.send.click()
      await chat.sent('Has it arrived?').waitFor()

      // A message written on one page appears on the other by itself.
      const other = await trader.context.newPage()
      await other.goto(`${server.url}/#/kefu`)
      await chatOn(other).said('Has it arrived?').waitFor()
      await chat.field.fill('One more thing')
      await chat.send.click()
      await chatOn(other).said('One more thing').waitFor()
      await other.close()
      await shot(page, 'kefu-trader')

      await chat.log.getByRole('link', { name: number }).click()
      await page.waitForURL((url) => url.hash.startsWith(`#/deposite?id=`))
      await page.getByText(number).first().waitFor()
    }))
}

for (const width of [390, 1440]) {
  test(`what a visitor says is theirs when they register, and when they log in, at ${width}`, () =>
    as(`own${width}`, width, async (trader, page, chat) => {
      await trader.go('/kefu')
      await chat.field.fill('How do I register?')
      await chat.send.click()
      await chat.sent('How do I register?').waitFor()
      await trader.register()
      await trader.go('/kefu')
      await chat.sent('How do I register?').waitFor()
      assert.equal(await page.getByText('Earlier conversations').count(), 0)

      await logOut(trader)
      await trader.go('/kefu')
      await page.getByRole('heading', { name: 'How can we help?' }).waitFor()
      await chat.field.fill('I cannot find my deposit')
      await chat.send.click()
      await chat.sent('I cannot find my deposit').waitFor()
      await logIn(trader)
      await trader.go('/kefu')
      await chat.sent('How do I register?').waitFor()
      const earlier = page.getByRole('region', { name: 'Earlier conversations' })
      await shot(page, 'kefu-earlier-waits')
      await earlier.getByRole('button', { name: 'Show earlier messages' }).click()
      await earlier.getByText('I cannot find my deposit').waitFor()
      await chat.log.getByText(/Conversation on/).waitFor()
      assert.equal(await earlier.getByRole('button').count(), 0)
      await shot(page, 'kefu-earlier')
      await checkBothThemes(page, 'earlier conversations')
    }))
}

test('the conversation reads from right to left in Arabic', () =>
  as('arabic', 390, async (visitor, page) => {
    await visitor.context.addInitScript(() => localStorage.setItem('locale', 'ar'))
    await visitor.go('/kefu')
    await page.getByRole('heading', { name: 'كيف يمكننا مساعدتك؟' }).waitFor()
    const field = page.getByLabel('الرسالة', { exact: true })
    await field.fill('مرحبًا، أين وصل إيداعي DP-50001؟')
    await page.getByRole('button', { name: 'إرسال', exact: true }).click()
    const own = page.getByRole('article').filter({ hasText: 'DP-50001' })
    await own.getByText('أُرسلت').waitFor()
    const box = await own.boundingBox()
    assert.ok(box.x < 100, 'one’s own words stand at the end of the line')
    await shot(page, 'kefu-ar')
    await check(page, 'a conversation in Arabic')
  }))
