// An editor limits a banner to countries by name, and has it translated in a file: as CSV in a spreadsheet, and as XLIFF in a translation tool.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'

const TITLE = 'New: US stocks, day and night'
const SUMMARY = 'Trade thirteen shares around the clock.'
const GERMAN = { title: 'Neu: US-Aktien, Tag und Nacht', summary: '13 Aktien, "rund um die Uhr".' }
const FRENCH = { title: 'Nouveau : actions US', summary: 'Treize actions & plus.' }

let browser
let server
let editor
let publisher
let address

before(async () => {
  browser = await launch()
  server = await startServer()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

/** Saves the draft. The answer is awaited, because the page may still say "Saved." from the time before. */
async function saved(page) {
  const answer = page.waitForResponse((one) => one.url().endsWith(`${address}/text`))
  await page.getByRole('button', { name: 'Save draft' }).click()
  assert.equal((await answer).status(), 200)
  await page.getByText('Saved.', { exact: true }).first().waitFor()
}

/** Opens the export dialog of the item for one language, and returns the text of the file. */
async function exported(format, language) {
  const { page } = editor
  await page.goto(server.url + address)
  await page.getByRole('button', { name: 'Export for translation…' }).click()
  const dialog = editor.dialog()
  await dialog.getByLabel('Format').selectOption(format)
  for (const box of await dialog
    .getByRole('group', { name: 'Languages' })
    .getByRole('checkbox')
    .all())
    await box.uncheck()
  await dialog.getByRole('checkbox', { name: language }).check()
  await check(page, `the dialog of an export as ${format}`)
  await picture(page, `desk-content-export-${format}`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  return readFileSync(await file.path(), 'utf8')
}

/** Chooses a file in the import dialog and shows its changes. */
async function chosen(name, text) {
  const { page } = editor
  await page.goto(`${server.url}/admin/content`)
  await page.getByRole('button', { name: 'Import translations…' }).click()
  const dialog = editor.dialog()
  await dialog
    .getByLabel('Translated file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })
  await dialog.getByRole('button', { name: 'Show changes' }).click()
  return dialog
}

/** Saves what the dialog shows as a draft, and checks the item's text in a language. */
async function stored(dialog, locale, { title, summary }) {
  const { page } = editor
  await dialog.getByText(title, { exact: true }).waitFor()
  await check(page, 'the changes of an import')
  await picture(page, 'desk-content-import')
  await dialog.getByRole('button', { name: 'Save 1 draft' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('1 translation saved as a draft.').first().waitFor()
  await page.goto(`${server.url}${address}?locale=${locale}`)
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), title)
  assert.equal(await page.getByLabel('Summary').inputValue(), summary)
  await page.frameLocator('.pv-phone iframe').getByText(title, { exact: true }).first().waitFor()
}

test('a banner is limited to countries by their names', async () => {
  editor = await comeToDesk(browser, server, 'ed')
  publisher = await comeToDesk(browser, server, 'pia')
  const { page } = editor
  await page.goto(`${server.url}/admin/content`)
  await page.getByRole('button', { name: 'New…' }).click()
  await editor.dialog().getByLabel('Type', { exact: true }).selectOption('banner')
  await editor.dialog().getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/admin\/content\/\d+$/)
  address = new URL(page.url()).pathname
  await page.getByLabel('Title', { exact: true }).fill(TITLE)
  await page.getByLabel('Summary').fill(SUMMARY)
  const countries = page.getByLabel('Only in these countries')
  for (const country of ['Germany', 'austria', 'Atlantis']) {
    await countries.fill(country)
    await countries.press('Enter')
  }
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Select an option from the list.').first().waitFor()
  await check(page, 'a country that is none')
  await picture(page, 'desk-content-countries')
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), TITLE)
  await countries.fill('')
  await countries.press('Tab')
  await saved(page)
  await page.getByRole('button', { name: 'Remove Austria' }).click()
  await saved(page)
  await page.reload()
  await page.getByRole('button', { name: 'Remove Germany' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Remove Austria' }).count(), 0)
  await page.goto(`${server.url}/admin/content?kind=banner&country=DE`)
  await page
    .getByRole('row', { name: new RegExp(TITLE) })
    .getByText(/Everyone · Germany/)
    .waitFor()
  await page.goto(`${server.url}/admin/content?kind=banner&country=AT`)
  assert.equal(await page.getByRole('link', { name: TITLE }).count(), 0)
})

test('a spreadsheet comes back translated', async () => {
  const file = await exported('csv', 'Deutsch')
  const [head, ...rows] = file
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  assert.equal(head, 'item,version,part,source_language,target_language,source,target')
  assert.equal(rows.length, 2)
  const cell = (text) => `"${text.replaceAll('"', '""')}"`
  const done = rows.map((row) => row.replace(/[^,]*$/, cell(GERMAN[row.split(',')[2]])))
  const dialog = await chosen('content.csv', `${[head, ...done].join('\r\n')}\r\n`)
  await stored(dialog, 'de', GERMAN)
})

test('a translation tool’s file comes back, and one of an older source is refused', async () => {
  const file = await exported('xliff', 'Français')
  const targets = [FRENCH.title, FRENCH.summary.replace('&', '&amp;')]
  const done = file.replace(
    /<target[^>]*\/>|<target[^>]*><\/target>/g,
    () => `<target>${targets.shift()}</target>`,
  )
  assert.equal(targets.length, 0, 'each part has its place')
  await stored(await chosen('content.xlf', done), 'fr', FRENCH)

  const { page } = editor
  await page.goto(server.url + address)
  await page.getByLabel('Title', { exact: true }).fill(`${TITLE}!`)
  await saved(page)
  const dialog = await chosen('content.xlf', done.replace(FRENCH.title, 'Ancien'))
  await dialog.getByText('Not imported').waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Save/ }).count(), 0)
  await check(page, 'an import that is refused')
  await picture(page, 'desk-content-import-refused')
  const broken = await chosen('content.csv', 'item,part\nN-1,title\n')
  await broken.getByRole('alert').waitFor()
  assert.equal(await broken.getByRole('button', { name: /^Save/ }).count(), 0)
})

test('who publishes reads the countries, and imports nothing', async () => {
  await editor.page.goto(server.url + address)
  await editor.page.getByRole('button', { name: 'Submit for review…' }).click()
  await editor.dialog().getByRole('button', { name: 'Submit for review', exact: true }).click()
  await editor.dialog().waitFor({ state: 'hidden' })
  const { page } = publisher
  await page.goto(`${server.url}/admin/content`)
  assert.equal(await page.getByRole('button', { name: 'Import translations…' }).count(), 0)
  await page.goto(server.url + address)
  await page.getByRole('button', { name: 'Publish…' }).click()
  await publisher.dialog().getByText('Germany').first().waitFor()
  await picture(page, 'desk-content-publish-countries')
  await publisher.dialog().getByRole('button', { name: 'Publish', exact: true }).click()
  await publisher.dialog().waitFor({ state: 'hidden' })
  for (const one of [editor, publisher]) assert.deepEqual(one.problems, [])
})
