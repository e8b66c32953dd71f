// A trader takes the proof of a deal along, and somebody without an account checks it: on the page of proofs, and with the program alone.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { startServer, verifyReceipt } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

const BTCUSD = 201
const scratch = mkdtempSync(join(tmpdir(), 'candor-proof-'))

let browser
let server
let file

before(async () => {
  browser = await launch()
  server = await startServer()
})

after(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

test('a trader downloads the proof of a deal', async () => {
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  const { page } = trader
  await trader.register()
  await trader.switchAccount()
  await trader.terminal(BTCUSD)
  await trader.order('Buy', '0.02')
  await trader.closePosition('BTCUSD', '0.02')
  const deals = page.getByLabel('Positions and fills')
  await deals.getByRole('tab', { name: 'Fills' }).click()
  await deals.getByRole('button', { name: 'Open the price proof' }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('The price checks out.').waitFor({ timeout: 60_000 })
  const downloaded = page.waitForEvent('download')
  await sheet.getByRole('button', { name: 'Download the proof' }).click()
  const download = await downloaded
  assert.match(download.suggestedFilename(), /^candor-receipt-BTCUSD-\d+\.json$/)
  file = join(scratch, download.suggestedFilename())
  await download.saveAs(file)
  await sheet.getByRole('link', { name: 'Compare with the published heads' }).click()
  await page.getByRole('heading', { name: 'Prices and proof' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'the sheet has made way')
  assert.deepEqual(trader.problems, [])
  await trader.context.close()
})

test('the program checks it without a server', async () => {
  const { publicKey } = JSON.parse(readFileSync(file, 'utf8'))
  const honest = await verifyReceipt(file, '--key', publicKey)
  assert.equal(honest.code, 0, honest.stdout + honest.stderr)
  assert.match(honest.stdout, /is proved under the key/)
  const forged = await verifyReceipt(forge())
  assert.equal(forged.code, 1)
  assert.match(forged.stdout, /^wrong: fill \d+: its path/m)
})

for (const width of [390, 1440]) {
  test(`a guest checks heads and the file on the page, ${width} px`, async () => {
    const guest = await new Trader(browser, server, 'nobody', width).open()
    const { page } = guest
    await guest.go('/proof')
    await page.getByRole('button', { name: 'Check the chain on this device' }).click()
    await page.getByText(/heads recomputed on this device/).waitFor()
    const whole = page.getByText('the chain is whole')
    const older = page.locator('button:enabled', { hasText: 'Check 100 older heads' })
    await whole.or(older).first().waitFor()
    while (!(await whole.isVisible())) {
      await older.click()
      await whole.or(older).first().waitFor()
    }
    await page.getByRole('tab', { name: 'Deals' }).click()
    await page.getByRole('button', { name: 'Check the chain on this device' }).click()
    await page.getByText('the chain is whole').waitFor()
    const input = page.locator('input[type=file]')
    await input.setInputFiles(file)
    await page.getByText('The price checks out.').waitFor()
    await page.getByText(/checks$/).click()
    await page.getByText('Its heads and its key are the published ones').waitFor()
    await input.setInputFiles(forge())
    await page.getByText('This does not fit:').waitFor()
    assert.equal(await page.getByText('The price checks out.').count(), 0)
    assert.deepEqual(guest.problems, [])
    await guest.context.close()
  })
}

/** The same file with a better profit. */
function forge() {
  const receipt = JSON.parse(readFileSync(file, 'utf8'))
  receipt.fill.profit = '1000'
  const forged = join(scratch, 'forged.json')
  writeFileSync(forged, JSON.stringify(receipt))
  return forged
}
