// The verification desk by keyboard alone: a reviewer decides twenty applications, and the audit log records every view.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { submitApplications } from './lib/applicants.mjs'
import { check, checkBothThemes } from './lib/axe.mjs'
import { launch } from './lib/chromium.mjs'
import { picture } from './lib/pictures.mjs'
import { startServer } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'

const PREPARED = 20
/** The maximum number of keys for a decision. */
const MOST_KEYS = 3

describe('twenty applications by keyboard', () => {
  let browser
  let server
  before(async () => {
    browser = await launch()
    server = await startServer()
    await submitApplications(server, PREPARED + 1)
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
  })

  /** Opens the browser of a member of staff; the use of the pointer is a problem. */
  async function sit(who) {
    const { page, problems } = await comeToDesk(browser, server, who)
    await page.exposeFunction('pointed', () => problems.push('the pointer was used'))
    await page.addInitScript(() => addEventListener('pointerdown', () => window.pointed()))
    return { page, problems }
  }

  /** Waits until count pictures are accepted and the next undecided one is in front. */
  const judged = (page, count) =>
    page.waitForFunction(
      (n) =>
        document.querySelectorAll('[data-picture] [data-judged=Accepted]').length === n &&
        (!document.querySelector('[data-pending]') ||
          document.querySelector('[data-current] [data-pending]')),
      count,
    )
  const loaded = async (page) => {
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll('[data-review] img')]
      return all.length > 1 && all.every((one) => one.complete && one.naturalWidth > 0)
    })
    await page.waitForLoadState()
  }

  /** Waits until the answer is in place and the focus is on an element of this kind in the dialog. */
  const focused = (page, kind) =>
    page.waitForFunction(
      (wanted) =>
        !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added') &&
        document.activeElement?.matches(wanted) &&
        document.activeElement.closest('dialog, [role=dialog]') !== null,
      kind,
    )

  let keys = 0
  let decisions = 0
  const press = (page, key) => {
    keys++
    return page.keyboard.press(key)
  }

  /** Makes one decision, with at most three keys. */
  async function decide(what, act) {
    keys = 0
    await act()
    decisions++
    assert.ok(keys > 0 && keys <= MOST_KEYS, `${what} took ${keys} keys`)
  }

  /** Accepts the front picture and waits until count are accepted. */
  const accept = (page, count) =>
    decide('accepting a picture', async () => {
      await press(page, 'y')
      await judged(page, count)
    })

  /** Presses the two keys that an open dialog needs, each when the dialog is ready for it. */
  async function confirm(page) {
    await focused(page, '[data-close]')
    await press(page, 'Tab')
    await focused(page, '[type=submit]')
    await press(page, 'Enter')
  }

  /** Matches every field that is not marked yet. */
  const matchRest = (page) =>
    decide('matching the data', async () => {
      await press(page, 'm')
      await page.getByText('6 of 6 fields marked').waitFor()
    })

  /** How often a line of the history says that something was read. */
  const reads = (history, what) =>
    [...history.matchAll(new RegExp(`${what}(?:, (\\d+) times)?`, 'g'))]
      .map(([, count]) => Number(count ?? 1))
      .reduce((sum, count) => sum + count, 0)

  /** Judges the open case, which the decision before has claimed, and approves it; returns the number of pictures. */
  async function approve(page) {
    await loaded(page)
    await matchRest(page)
    const count = await page.locator('[data-picture]').count()
    for (let n = 1; n <= count; n++) await accept(page, n)
    const before = page.url()
    await decide('an approval', async () => {
      await press(page, 'a')
      await confirm(page)
      await page.waitForURL((url) => url.href !== before, { waitUntil: 'commit' })
    })
    await page.waitForLoadState()
    return count
  }

  test('a second window shows what the first one works on', async () => {
    const { page, problems } = await sit('vera')
    await page.goto(`${server.url}/admin/identity`)
    await page.locator('[data-row] a').first().click()
    await page.getByRole('button', { name: 'Claim' }).first().click()
    await loaded(page)
    const [id] = /\d+$/.exec(page.url())

    // The buttons fit on one line above each picture.
    for (const tools of await page.locator('[data-viewer] .tool:visible').all())
      assert.ok((await tools.boundingBox()).height <= 41, 'the tools take two lines')

    // The page reports a browser that blocks the second window.
    await page.evaluate(() => {
      window.reallyOpen = window.open
      window.open = () => null
    })
    await page.keyboard.press('w')
    await page.getByText('The browser has blocked the second window.').waitFor()
    await picture(page, 'identity-window-blocked')
    await checkBothThemes(page, 'a blocked second window')
    await page.evaluate(() => {
      window.open = window.reallyOpen
    })
    const opening = page.waitForEvent('popup')
    await page.keyboard.press('w')
    const second = await opening
    second.on('pageerror', (error) => problems.push(error.message))
    assert.equal(await page.locator('[data-blocked]:visible').count(), 0)
    assert.equal(second.url(), `${server.url}/admin/identity/${id}/window`)
    await second.setViewportSize({ width: 1440, height: 900 })

    // Count pictures are shown in the second window; a single one is in front.
    const shown = (count) =>
      second.waitForFunction((n) => {
        const all = [...document.querySelectorAll('[data-look][src]')]
        const front = document.querySelector('[data-current] [data-look]')
        return all.length === n && (n === 0 || (front?.naturalWidth ?? 0) > 0)
      }, count)
    const says = (words) => second.locator('[data-words]', { hasText: words }).waitFor()
    const same = (where, transform, side) =>
      where.waitForFunction(
        ([wanted, word]) => {
          const current = document.querySelector('[data-current]')
          return (
            current?.querySelector('[data-viewer] .tool b')?.textContent === word &&
            current.querySelector('[data-image]').style.transform === wanted
          )
        },
        [transform, side],
      )
    await shown(1)
    await same(second, 'translate(0%, 0%) scale(1) rotate(0deg)', 'Front')
    assert.match(await second.evaluate(() => document.activeElement.dataset.stage ?? 'none'), /^$/)

    await page.keyboard.press('+')
    await page.keyboard.press(']')
    await same(second, 'translate(0%, 0%) scale(1.25) rotate(90deg)', 'Front')
    await second.keyboard.press('ArrowRight')
    await same(page, 'translate(-8%, 0%) scale(1.25) rotate(90deg)', 'Front')
    await second.getByRole('button', { name: 'Contrast' }).click()
    await page.waitForFunction(() =>
      document.querySelector('[data-current] [data-image]').style.filter.includes('contrast(1.4)'),
    )
    await page.keyboard.press('3')
    await same(second, 'translate(0%, 0%) scale(1) rotate(0deg)', 'Selfie')
    await shown(2)
    assert.equal(await second.locator('[data-image]:visible').count(), 1)
    await second.keyboard.press('2')
    await same(page, 'translate(-8%, 0%) scale(1.25) rotate(90deg)', 'Front')
    await second.keyboard.press('0')
    await same(page, 'translate(0%, 0%) scale(1) rotate(0deg)', 'Front')
    assert.equal(await second.locator('a[download], [data-second]').count(), 0)
    await second.keyboard.press('?')
    await second.getByRole('dialog').waitFor()
    await second.keyboard.press('Escape')
    for (const button of await second.locator('.kyc-alone .btn:visible').all()) {
      const { width, height } = await button.boundingBox()
      assert.ok(
        width >= 44 && height >= 44,
        `${await button.textContent()} is ${width} × ${height}`,
      )
    }
    await picture(second, 'identity-window')
    await checkBothThemes(second, second.url())

    // Each window loaded each picture once, and the log records it.
    await page.reload()
    await shown(1)
    const looks = async () =>
      reads(await page.locator('.tl').first().innerText(), 'You viewed the selfie')
    await page.keyboard.press('?')
    await page.locator('[data-keys-here]', { hasText: 'Open in a second window' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await looks(), 2)

    // Another press reuses the window.
    const windows = page.context().pages().length
    await Promise.all([second.waitForEvent('load'), page.keyboard.press('w')])
    await shown(1)
    assert.equal(page.context().pages().length, windows)

    // It follows the first window to an unclaimed case, without pictures, and back.
    await page.keyboard.press('j')
    await second.waitForURL((url) => !url.pathname.includes(`/${id}/`))
    await says('Claim the case to see')
    await shown(0)
    await page.keyboard.press('k')
    await second.waitForURL(`${server.url}/admin/identity/${id}/window`)
    await shown(1)

    // The pictures are hidden after a minute without activity.
    await second.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 60_000
    })
    await says('Pictures are shown here for one minute.')
    await shown(0)
    assert.equal(await second.locator('img:visible').count(), 0)
    await picture(second, 'identity-window-over')
    await checkBothThemes(second, `${second.url()} when the minute is over`)
    await second.getByRole('button', { name: 'Show again' }).click()
    await shown(1)
    await second.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 60_000
    })
    await shown(0)
    await page.keyboard.press('+')
    await shown(1)
    await same(second, 'translate(0%, 0%) scale(1.25) rotate(0deg)', 'Front')

    // They are also hidden when the case is closed or released.
    await page.goto(`${server.url}/admin/identity`)
    await says('The case was closed in the first window.')
    await shown(0)
    await page.goBack()
    await shown(1)
    await page.getByRole('button', { name: 'Release' }).click()
    await says('Claim the case to see')
    await shown(0)
    await picture(second, 'identity-window-hidden')
    assert.deepEqual(
      problems.filter((one) => one !== 'the pointer was used'),
      [],
    )
    await page.context().close()
  })

  let looks = 0
  test('a reviewer works through them', async () => {
    const { page, problems } = await sit('rae')
    await page.goto(`${server.url}/admin/identity`)
    await page.locator('[data-row]').first().waitFor()
    assert.equal(await page.locator('[data-row]').count(), PREPARED + 1)
    await picture(page, 'identity-queue')
    await check(page, page.url())
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/admin\/identity\/\d+/)
    const [first] = /\d+$/.exec(page.url())

    // J and K move between cases, ? lists the keys, 1 to 3 bring panes to the front, and letters in fields are text.
    await page.keyboard.press('j')
    await page.waitForURL((url) => !url.href.endsWith(first))
    await page.keyboard.press('k')
    await page.waitForURL((url) => url.href.endsWith(first))
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await loaded(page)
    await picture(page, 'identity-case')
    await check(page, page.url())

    // A digit marks a field of the data: first as right, then as wrong, which blocks the approval, then not at all.
    const marked = (words) => page.locator('[id$="-data"] .badge', { hasText: words }).waitFor()
    await page.keyboard.press('6')
    await marked(/^\s*Match\s*$/)
    await page.keyboard.press('6')
    await marked('Mismatch')
    await picture(page, 'identity-mark')
    await checkBothThemes(page, 'a mark')
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    assert.equal(
      await page.getByLabel('Entered data', { exact: true }).inputValue(),
      'data_differs',
    )
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('6')
    await page.getByText('0 of 6 fields marked').waitFor()
    const front = () => page.locator('[data-review]').getAttribute('data-wide')
    for (const pane of ['1', '3', '2']) {
      await page.keyboard.press(pane)
      assert.equal(await front(), pane)
    }
    const shape = () =>
      page.locator('[data-current] [data-image]').evaluate((image) => image.style.transform)
    await page.keyboard.press('+')
    await page.keyboard.press(']')
    assert.match(await shape(), /scale\(1\.25\) rotate\(90deg\)/)
    for (let i = 0; i < 20; i++) await page.keyboard.press('+')
    assert.match(await shape(), /scale\(8\)/)
    for (let i = 0; i < 40; i++) await page.keyboard.press('-')
    assert.match(await shape(), /scale\(0\.25\)/)
    await page.keyboard.press('0')
    assert.match(await shape(), /scale\(1\) rotate\(0deg\)/)
    await page.getByRole('button', { name: 'Brightness' }).first().focus()
    await page.keyboard.press('Enter')
    const filter = await page
      .locator('[data-image]')
      .first()
      .evaluate((image) => image.style.filter)
    assert.match(filter, /brightness\(1\.4\)/)

    await decide('a refusal', async () => {
      await press(page, 'n')
      await page.getByRole('dialog').waitFor()
      await picture(page, 'identity-refusal')
      await check(page, page.url())
      await press(page, '2')
      await page.locator('[data-judged="Rejected"]').waitFor()
    })
    await page.keyboard.press('r')
    await page.getByRole('dialog').waitFor()
    await picture(page, 'identity-question')
    await check(page, page.url())
    await page.getByLabel('Note (staff only)').focus()
    await page.keyboard.type('a e j k 2')
    assert.equal(await page.getByLabel('Note (staff only)').inputValue(), 'a e j k 2')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('2')
    await page.locator('[data-pane="2"] [data-current]').waitFor({ state: 'attached' })
    await accept(page, 1)
    await accept(page, 2)
    // The approval is locked, with the reason, until every field is a match.
    const approval = page.getByRole('button', { name: 'Approve and next' })
    assert.ok(await approval.isDisabled())
    await page.getByText('To approve: pictures 2 of 2, fields 0 of 6').waitFor()
    await matchRest(page)
    await picture(page, 'identity-judged')
    await decide('an approval', async () => {
      await press(page, 'a')
      await page.getByRole('dialog').waitFor()
      await picture(page, 'identity-approval')
      await confirm(page)
      await page.waitForURL((url) => url.searchParams.get('done') === first)
    })
    looks += 2
    for (let i = 1; i < PREPARED; i++) looks += await approve(page)
    // The last one has a hint: it awaits a second person.
    await page.getByText('Needs 2 approvals').first().waitFor()
    await picture(page, 'identity-two')
    await page.getByRole('button', { name: 'Release' }).press('Enter') // the decision before it claimed it
    await page.getByText('Claim the case to see').first().waitFor()
    assert.equal(
      decisions,
      looks + 2 * PREPARED + 1,
      "every picture, every application's data, every application, and a refusal",
    )
    assert.deepEqual(problems, [])
  })

  test('the log tells every picture that was looked at', async () => {
    const { page } = await sit('abe')
    await page.goto(`${server.url}/admin/identity`)
    const [, last] = /ID-(\d+)/.exec(await page.locator('[data-row]').innerText())
    let told = 0
    for (let id = Number(last) - PREPARED; id < Number(last); id++) {
      await page.goto(`${server.url}/admin/identity/${id}`)
      const history = await page.locator('.tl').innerText()
      const own = (side) => reads(history, `Rae Review viewed the ${side}`)
      for (const side of ['front', 'selfie']) assert.ok(own(side) > 0, `${id}: ${side}`)
      assert.match(history, /Rae Review approved/)
      assert.equal(await page.locator('[data-review] img').count(), 0)
      told += own('front') + own('back') + own('selfie')
    }
    assert.equal(told, looks)
  })

  test('on a phone one pane stands in front', async () => {
    const { page } = await sit('vera')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${server.url}/admin/identity`)
    await picture(page, 'identity-queue')
    await check(page, page.url())
    await page.locator('[data-row] a').first().click()
    await page.getByRole('button', { name: 'Claim' }).first().click()
    await loaded(page)
    assert.equal(await page.locator('.kyc-pane:visible').count(), 1)
    await picture(page, 'identity-case')
    await check(page, page.url())
  })
})
