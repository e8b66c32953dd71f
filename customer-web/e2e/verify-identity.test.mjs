// Identity verification from the trader's side: filled in with a break, submitted, under review, withdrawn, submitted again, returned by staff for one photo,
// and approved.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { check } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture as look } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { paper, picture, Trader } from './lib/trader.mjs'

const PATIENCE = 100_000
const HEIC = join(import.meta.dirname, '../../app/platform/upload/testdata/corners.heic')
const REASON = 'A reflection hides part of the picture. Tilt it away from the light.'

let browser
let server
let trader

before(async () => {
  browser = await launch()
  server = await startServer()
  trader = await new Trader(browser, server, 'tess@trader.example', 390).open()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

const heading = (name) => trader.page.getByRole('heading', { name })

test('a trader fills in, comes back to the same step, and is under review', async () => {
  const { page } = trader
  await trader.register()
  await trader.go('/deposite')
  await page.getByRole('link', { name: 'Verify identity' }).click()
  await heading('Which country issued your document?').waitFor()
  await trader.identify('front')

  // A blurred, small picture causes a warning, and may be sent anyway.
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles({ name: 'flat.png', mimeType: 'image/png', buffer: picture() })
  await page.getByText('This picture looks blurred.').waitFor()
  await page.getByText('This picture is small').waitFor()
  await look(page, 'identity-warnings')
  await check(page, 'a picture that was warned of')
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') })
  await page.getByText('A PDF can’t be used here').waitFor()

  // A reload loses nothing.
  await trader.go('/authenticate')
  await page.reload()
  await heading('Photo page of the passport').waitFor()
  await trader.handIn('flat.png', picture(), 'Use it anyway')
  await heading('Selfie').waitFor()
  await trader.handIn('selfie.png', paper(2))
  await heading('Check your details').waitFor()

  // A better picture replaces the first one; the trader sees their own pictures again.
  await page.getByRole('link', { name: 'Change: Photo page' }).click()
  await heading('Photo page of the passport').waitFor()
  await page.getByRole('img', { name: /Your picture: Photo page/ }).waitFor()
  assert.equal(await page.getByText('This picture looks blurred.').count(), 0)
  await page.locator('input[type=file]').last().setInputFiles(HEIC)
  await page.getByText('corners.heic', { exact: true }).waitFor()
  await trader.button('Send picture and continue').click()
  await heading('Check your details').waitFor({ timeout: PATIENCE }) // the server compiles the decoder at its first HEIC
  await page.getByRole('img', { name: /Your picture: Selfie/ }).waitFor()
  await look(page, 'identity-review')
  await trader.submitIdentity()
  await page.waitForURL(/#\/process\?status=REVIEW$/)
  await page.getByText(/ID-\d+/).waitFor()
  await look(page, 'identity-process')

  // The other screens redirect here, and so does the user centre. The heading may still be the previous one, and the redirect would override an earlier
  // navigation, so the address is awaited too.
  for (const path of ['/authenticate', '/failed', '/successful']) {
    await trader.go(path)
    await page.waitForURL(/#\/process\?status=REVIEW$/)
    await heading('Under review').waitFor()
  }
  await trader.go('/myCenter')
  await page.getByRole('link', { name: 'Identity verification' }).click()
  await heading('Under review').waitFor()

  await trader.button('Withdraw and edit').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw and edit' }).click()
  await heading('Check your details').waitFor()
  await page.getByText('X1234567').waitFor()
  await trader.submitIdentity()
  assert.deepEqual(trader.problems, [])
})

/** Opens and claims the only application, and waits for its pictures. */
async function claim({ page }) {
  await page.goto(`${server.url}/admin/identity`)
  await page.locator('[data-row] a').first().click()
  await page.getByRole('button', { name: 'Claim' }).first().click()
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('[data-review] img')]
    return all.length > 1 && all.every((one) => one.complete && one.naturalWidth > 0)
  })
}

const judged = ({ page }, side, word) =>
  page.locator(`[data-picture]`, { hasText: side }).locator(`[data-judged="${word}"]`)

async function accept(member, side) {
  const one = member.page.locator('[data-picture]', { hasText: side })
  await one.getByRole('button', { name: 'Accept' }).click()
  await judged(member, side, 'Accepted').waitFor({ state: 'attached' })
}

test('staff ask for one photo again, the trader replaces it alone, and is verified', async () => {
  const { page } = trader
  const reviewer = await comeToDesk(browser, server, 'rae')
  await claim(reviewer)
  const opening = reviewer.page.waitForEvent('popup')
  await reviewer.page.getByRole('button', { name: 'Open in a second window' }).first().click()
  const second = await opening
  const shown = (count) =>
    second.waitForFunction((n) => {
      const all = [...document.querySelectorAll('[data-look][src]')]
      return all.length === n && all.every((one) => one.naturalWidth > 0)
    }, count)
  await shown(1)
  await accept(reviewer, 'Selfie')
  await reviewer.page
    .locator('[data-picture]', { hasText: 'Front' })
    .getByRole('button', { name: 'Reject…' })
    .click()
  await reviewer.dialog().getByRole('button', { name: /Glare/ }).click()
  await judged(reviewer, 'Front', 'Rejected').waitFor({ state: 'attached' })
  await reviewer.page.getByRole('button', { name: 'Request resubmission…' }).last().click()
  await reviewer.dialog().getByRole('button', { name: 'Send and open next' }).click()
  await reviewer.page.getByText(/ID-\d+: resubmission requested/).waitFor()
  await second
    .locator('[data-words]', { hasText: 'The case was closed in the first window.' })
    .waitFor()
  await shown(0)

  await page.reload()
  await page.waitForURL(/#\/failed$/)
  await heading('Some items need to be sent again').waitFor()
  await page.getByText(REASON).waitFor()
  await page.getByText('2 attempts left.').waitFor()
  await look(page, 'identity-sent-back')
  await check(page, 'one photo is asked for again')
  const fixes = page.getByRole('link', { name: /^Fix this step/ })
  assert.equal(await fixes.count(), 1)
  await fixes.click()
  await heading('Photo page of the passport').waitFor()
  await page.getByText(REASON).waitFor()
  await trader.handIn('front.png', paper(3))
  await heading('Check your details').waitFor()
  assert.equal(await page.getByRole('link', { name: /^Change/ }).count(), 1)
  await look(page, 'identity-fixed')
  await trader.submitIdentity()

  await claim(reviewer)
  await shown(1)
  await judged(reviewer, 'Selfie', 'Accepted').waitFor({ state: 'attached' })
  await accept(reviewer, 'Front')
  await reviewer.page.getByRole('button', { name: 'All match' }).click()
  await reviewer.page.getByText('6 of 6 fields marked').waitFor()
  await reviewer.page.getByRole('button', { name: 'Approve and next' }).click()
  await reviewer.dialog().getByRole('button', { name: 'Approve and open next' }).click()
  await reviewer.page.getByText(/ID-\d+ is approved/).waitFor()
  await shown(0)

  await page.reload()
  await page.waitForURL(/#\/successful$/)
  await heading('Your identity is verified').waitFor()
  await look(page, 'identity-verified')
  await check(page, 'a verified identity')
  assert.deepEqual([...trader.problems, ...reviewer.problems], [])
})

test('on a desktop the camera takes a picture, a file is pasted, and the phone goes on', async () => {
  const desk = await new Trader(browser, server, 'dora@trader.example', 1440).open()
  const { page } = desk
  const title = (name) => page.getByRole('heading', { name }).waitFor()
  // The headless shell has no devices, not even pretended ones: a canvas stands in for the camera.
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 1280
      canvas.height = 720
      const context = canvas.getContext('2d')
      setInterval(() => {
        context.fillStyle = `hsl(${performance.now() % 360} 60% 60%)`
        context.fillRect(0, 0, canvas.width, canvas.height)
      }, 50)
      return canvas.captureStream(20)
    }
  })
  await desk.register()
  await desk.identify('front')
  await page.getByText('Drop a file here, paste it, or choose one.').waitFor()
  await look(page, 'identity-desktop')
  await desk.button('Use camera').click()
  await page.locator('button:enabled', { hasText: 'Take photo' }).click()
  await desk.button('Take again').click()
  await page.locator('button:enabled', { hasText: 'Take photo' }).click()
  await check(page, 'a picture of the camera')
  await look(page, 'identity-camera')
  await desk.button('Use photo').click()
  await page.getByRole('img', { name: 'The picture that will be sent' }).waitFor()
  await page.getByRole('button', { name: /^(Send picture and continue|Use it anyway)$/ }).click()
  await title('Selfie')

  await page.evaluate(
    (bytes) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(
        new File([new Uint8Array(bytes)], 'pasted.png', { type: 'image/png' }),
      )
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    },
    [...paper(2)],
  )
  await page.getByText('pasted.png is ready to send.').waitFor({ state: 'attached' })

  await desk.button('Continue on your phone').click()
  await page.getByRole('img', { name: 'QR code of the one-time link' }).waitFor()
  await page.getByText('Waiting for the picture from your phone…').waitFor()
  await check(page, 'going on with the phone')
  await look(page, 'identity-on-phone')
  const link = await page.locator('bdi', { hasText: '#/authenticate?token=' }).textContent()
  const phone = await new Trader(browser, server, 'dora@trader.example', 390).open()
  await phone.page.goto(link)
  await phone.button('Continue').click()
  await phone.button('Yes, continue').click()
  await phone.page.getByRole('heading', { name: 'Selfie' }).waitFor()
  await phone.handIn('selfie.png', paper(2))
  await phone.page.getByRole('heading', { name: 'Check your details' }).waitFor()
  await title('Check your details')
  assert.deepEqual([...desk.problems, ...phone.problems], [])
  await phone.close()
  await desk.close()
})
