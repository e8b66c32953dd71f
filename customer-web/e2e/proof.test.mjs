// A trader downloads the proofs of a deal and of a swap, and a person without an account checks them: on the proof page, and with the program alone.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { ROLLOVER_HOUR, writeRecording } from './lib/recording.mjs'
import { startServer, verifyReceipt } from './lib/server.mjs'
import { Trader } from './lib/trader.mjs'

const BTCUSD = 201
const scratch = mkdtempSync(join(tmpdir(), 'candor-proof-'))

let browser
let server
let file
let charge

before(async () => {
  browser = await launch()
  // Starts twenty minutes before a rollover, which the replay reaches after one minute.
  server = await startServer({
    env: {
      CANDOR_FEED: `replay:${writeRecording(join(scratch, 'recording'), ROLLOVER_HOUR - 1)}`,
      CANDOR_FEED_SPEED: '20',
      CANDOR_FEED_START: `${ROLLOVER_HOUR - 1}h40m`,
    },
  })
})

after(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

test('a trader downloads the proofs of a deal and of a swap', async () => {
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  const { page } = trader
  await trader.register()
  await trader.switchAccount()
  await trader.terminal(BTCUSD)
  await trader.order('Buy', '0.02')
  await trader.closePosition('BTCUSD', '0.02')
  await trader.order('Buy', '0.03') // stays open over the rollover
  const deals = page.getByLabel('Positions and trades')
  await deals.getByRole('tab', { name: 'History' }).click()
  await deals.getByRole('button', { name: 'Open price proof' }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('The price checks out.').waitFor({ timeout: 60_000 })
  file = await taken(page, /^candor-receipt-BTCUSD-\d+\.json$/)
  await sheet.getByRole('link', { name: 'Compare with the published hashes' }).click()
  await page.getByRole('heading', { name: 'Prices and proof' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0, 'the sheet has made way')

  await trader.terminal(BTCUSD)
  const positions = page.getByLabel('Positions and trades')
  const row = positions.getByRole('row').filter({ hasText: 'BTCUSD' }).first()
  await row.getByRole('button', { name: /^[-−]\d/ }).click({ timeout: 120_000 }) // its swap, once there is one
  await page.getByRole('dialog').getByRole('button', { name: 'Proof' }).first().click()
  await page.getByText('The charge checks out.').waitFor({ timeout: 60_000 })
  await page.getByText('The rollover').waitFor()
  charge = await taken(page, /^candor-receipt-BTCUSD-swap-\d+\.json$/)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await trader.go('/ledger?list=charges')
    await page.getByRole('button', { name: 'Proof' }).first().click()
    await page.getByText('The charge checks out.').waitFor()
    await page
      .getByText(/%.* ÷ 360 × /)
      .last()
      .waitFor()
    await page.getByRole('link', { name: 'Compare with the published hashes' }).click()
    await page.getByRole('heading', { name: 'Prices and proof' }).waitFor()
  }
  assert.deepEqual(trader.problems, [])
  await trader.context.close()
})

/** Downloads the open proof. */
async function taken(page, name) {
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download proof' }).click()
  const download = await downloaded
  assert.match(download.suggestedFilename(), name)
  const path = join(scratch, download.suggestedFilename())
  await download.saveAs(path)
  return path
}

test('the program checks them without a server', async () => {
  for (const [path, lie, what] of [
    [file, forge, /^wrong: fill \d+: its path/m],
    [charge, forgeCharge, /^wrong: charge \d+: its path/m],
  ]) {
    const { publicKey } = JSON.parse(readFileSync(path, 'utf8'))
    const honest = await verifyReceipt(path, '--key', publicKey)
    assert.equal(honest.code, 0, honest.stdout + honest.stderr)
    assert.match(honest.stdout, /is proved under the key/)
    const forged = await verifyReceipt(lie())
    assert.equal(forged.code, 1)
    assert.match(forged.stdout, what)
  }
})

for (const width of [390, 1440]) {
  test(`a guest checks heads and the file on the page, ${width} px`, async () => {
    const guest = await new Trader(browser, server, 'nobody', width).open()
    const { page } = guest
    await guest.go('/proof')
    await page.getByRole('button', { name: 'Check the chain on this device' }).click()
    await page.getByText(/hash(es)? recomputed on this device/).waitFor()
    const whole = page.getByText('The chain is complete.')
    const older = page.locator('button:enabled', { hasText: 'Check 100 older hashes' })
    await whole.or(older).first().waitFor()
    while (!(await whole.isVisible())) {
      await older.click()
      await whole.or(older).first().waitFor()
    }
    for (const chain of ['Trades', 'Charges', 'Specifications']) {
      await page.getByRole('tab', { name: chain }).click()
      await page.getByRole('button', { name: 'Check the chain on this device' }).click()
      await page.getByText('The chain is complete.').waitFor()
    }
    const input = page.locator('input[type=file]')
    for (const [path, lie, verdict] of [
      [file, forge, 'The price checks out.'],
      [charge, forgeCharge, 'The charge checks out.'],
    ]) {
      await input.setInputFiles(path)
      await page.getByText(verdict).waitFor()
      await page.getByText(/checks$/).click()
      await page.getByText('Its hashes and key match the published ones').waitFor()
      await input.setInputFiles(lie())
      await page.getByText('Check failed:').waitFor()
      assert.equal(await page.getByText(verdict).count(), 0)
    }
    assert.deepEqual(guest.problems, [])
    await guest.context.close()
  })
}

/** The same receipt with a higher profit. */
function forge() {
  return forged(file, (receipt) => {
    receipt.fill.profit = '1000'
  })
}

/** The same charge, received instead of paid. */
function forgeCharge() {
  return forged(charge, (receipt) => {
    receipt.charge.amount = '1000'
  })
}

function forged(path, lie) {
  const receipt = JSON.parse(readFileSync(path, 'utf8'))
  lie(receipt)
  const out = join(scratch, 'forged.json')
  writeFileSync(out, JSON.stringify(receipt))
  return out
}
