// What a visitor and a trader read on a fresh server: questions, the legal pages and the pages about Candor, and no notices or news yet.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

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

/** Checks and captures a page in its current state. */
async function look({ page, width }, name) {
  await checkBothThemes(page, `${name}, ${width} px`)
  await picture(page, name)
}

for (const width of [1440, 390]) {
  test(`what is published at ${width}`, async () => {
    const reader = await new Trader(browser, server, `rea${width}@trader.example`, width).open()
    const { page } = reader
    const main = page.getByRole('main')

    await reader.go('/problem')
    const questions = main.getByRole('button', { expanded: false })
    await questions.first().waitFor()
    const all = await questions.count()
    assert.ok(all > 10, `${all} questions`)
    await main.getByRole('searchbox', { name: 'Search questions' }).fill('margin level')
    await page.getByText(/^\d+ questions? found$/).waitFor({ state: 'attached' })
    assert.ok((await questions.count()) < all, 'a search narrows the list')
    const first = questions.first()
    const question = await first.innerText()
    await first.click()
    const opened = main.getByRole('button', { name: question, expanded: true })
    await opened.waitFor()
    await main.getByRole('button', { name: 'Yes', exact: true }).click()
    await main.getByText('Thank you.').waitFor()
    await look(reader, 'problem')
    await main.getByRole('searchbox').fill('no such words anywhere')
    await main.getByText(/^No results for/).waitFor()
    await main.getByRole('button', { name: 'Clear search' }).click()
    await main.getByRole('button', { name: 'Deposits and withdrawals', exact: true }).click()
    await main
      .getByRole('button', { name: /deposit/i, expanded: false })
      .first()
      .waitFor()

    await reader.go('/relevant')
    await main.getByText('Revision 1').nth(3).waitFor()
    await look(reader, 'relevant')
    await main.getByRole('link', { name: /Risk warning/ }).click()
    await main.getByRole('heading', { level: 2 }).first().waitFor()
    await main.getByText('Revision 1').waitFor()
    await look(reader, 'relevant-page')
    await main.getByRole('link', { name: 'All legal pages' }).click()
    await main.getByRole('link', { name: /Terms of use/ }).waitFor()

    await reader.go('/aboutUs')
    await main.getByRole('heading', { name: 'About Candor', level: 2 }).waitFor()
    await main.getByText('forex-2025.09.18.12:28').waitFor()
    await look(reader, 'aboutUs')
    await main.getByRole('link', { name: 'Prices and proof' }).click()
    await page.waitForURL((url) => url.hash === '#/proof')

    await reader.go('/notice')
    await main.getByText('No notices yet.').waitFor()
    assert.equal(await main.getByRole('tab').count(), 0, 'a visitor has no messages')
    await reader.go('/news')
    await main.getByText('No news yet.').waitFor()
    await reader.choose(main, 'Language', 'Deutsch')
    await main.getByText('No news in this language yet.').waitFor()
    await look(reader, 'news-empty')

    await reader.go('/home/index')
    await main.getByRole('heading', { name: 'Every fill has a proof' }).waitFor()
    assert.equal(await main.getByRole('region', { name: 'News', exact: true }).count(), 0)

    await reader.register()
    await look(reader, 'home')
    await page.getByRole('link', { name: 'Notices', exact: true }).first().click()
    await main.getByText('No notices yet.').waitFor()
    await main.getByRole('tab', { name: 'Messages' }).click()
    await main.getByText('No messages yet.').waitFor()
    await look(reader, 'notice-empty')
    assert.deepEqual(reader.problems, [])
    await reader.close()
  })
}

test('the pages are read from right to left', async () => {
  const reader = await new Trader(browser, server, 'rtl@trader.example', 390).open()
  const { page } = reader
  await page.addInitScript(() => localStorage.setItem('locale', 'ar'))
  for (const [path, name] of [
    ['/problem', 'problem-ar'],
    ['/relevant', 'relevant-ar'],
    ['/notice', 'notice-ar'],
  ]) {
    await reader.go(path)
    await page.locator('main li, main p').first().waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.dir), 'rtl')
    await look(reader, name)
  }
  await reader.close()
})
