// A new trader without a mouse: registers, trades with demo money, deposits and withdraws. Every control is reached with Tab, its focus is visible, and nothing
// covers it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { startWithSandbox } from './lib/sandbox.mjs'
import { codeFor, skipWait } from './lib/server.mjs'
import { comeToDesk } from './lib/staff.mjs'
import { steps } from './lib/steps.mjs'
import { PASSWORD, Trader } from './lib/trader.mjs'

const DIGITS = '482915'
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** Trades at any hour of the week. */
const BTCUSD = 201
/** More stops than any screen has. */
const MOST_STOPS = 250

let browser
let both
let server
let trader
let page

before(async () => {
  browser = await launch()
  both = await startWithSandbox()
  server = both.server
  trader = await new Trader(browser, server, 'kay@trader.example').open({ reducedMotion: 'reduce' })
  page = trader.page
})
after(async () => {
  await browser?.close()
  await both?.stop()
})

const step = steps('keyboard', () => ({ trader }))

/** What is wrong with how the focused element shows: nothing about it changes, it is outside the window, or something covers it. Runs in the page. */
async function faultOfFocus(element) {
  const drawn = () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const parts = [element, ...(element.parentElement?.children ?? [])]
  for (let up = element.parentElement, i = 0; up && i < 3; up = up.parentElement, i++)
    parts.push(up)
  const look = () =>
    parts.flatMap((one) => {
      const style = getComputedStyle(one)
      return [style.outline, style.boxShadow, style.borderColor, style.borderWidth]
    })
  await drawn()
  const focused = look().join()
  element.blur()
  await drawn()
  const plain = look().join()
  element.focus()
  await drawn()
  if (focused === plain) return 'shows no focus'
  const { x, y, width, height } = element.getBoundingClientRect()
  const [atX, atY] = [x + width / 2, y + height / 2]
  if (atX < 0 || atY < 0 || atX > window.innerWidth || atY > window.innerHeight)
    return 'is outside the window'
  const top = document.elementFromPoint(atX, atY)
  const whole = element.closest('label') ?? element
  if (top && (whole.contains(top) || top.contains(element))) return null
  return `lies under ${top?.outerHTML.slice(0, 120)}`
}

const isFocused = (element) => element === document.activeElement

/** Moves the focus forward with Tab until it is on the element. */
async function tabTo(target) {
  await target.first().waitFor()
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    for (const one of await target.all()) {
      if (!(await one.evaluate(isFocused))) continue
      const fault = await one.evaluate(faultOfFocus)
      assert.equal(fault, null, `${target} ${fault}`)
      return
    }
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab never reaches ${target}`)
}

async function type(target, text) {
  await tabTo(target)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

async function press(target, key = 'Enter') {
  await tabTo(target)
  await page.keyboard.press(key)
}

/** Chooses a radio button of a group with the arrow keys. */
async function choose(group, option) {
  await tabTo(group.getByRole('radio'))
  const count = await group.getByRole('radio').count()
  for (let tries = 0; tries < count && !(await option.isChecked()); tries++)
    await page.keyboard.press('ArrowDown')
  if (!(await option.isChecked())) await page.keyboard.press('Space')
  assert.ok(await option.isChecked(), `${option} is chosen`)
}

const button = (name, within = page) => within.getByRole('button', { name })
const dialog = () => page.getByRole('dialog')

step('registers', async () => {
  await trader.go('/register')
  await type(page.getByLabel('Email address'), trader.email)
  await press(button('Send code'))
  await page.getByText(/The code works for 10 minutes/).waitFor()
  await type(page.getByLabel('Verification code'), await codeFor(server, trader.email))
  await type(page.getByLabel('Password', { exact: true }), PASSWORD)
  await press(page.getByLabel('Country of residence'))
  await type(dialog().getByRole('searchbox'), 'Switzerland')
  await press(dialog().getByText('Switzerland').locator('xpath=ancestor-or-self::button'))
  await press(page.getByLabel('I am 18 years old or older.'), 'Space')
  await press(page.getByLabel(/I accept the terms/), 'Space')
  await press(button('Open account'))
  await page.waitForURL((url) => url.hash.startsWith('#/home/index'))
})

step('trades with demo money', async () => {
  await trader.go('/switchAccount')
  const before = await page.evaluate(() => localStorage.getItem('token'))
  await press(button(/^Open demo account$/, page.getByRole('main')))
  await Promise.all([
    page.waitForEvent('load'),
    press(button(/^(Open demo account|Switch)$/, dialog())),
    page.waitForFunction((token) => localStorage.getItem('token') !== token, before),
  ])
  await trader.terminal(BTCUSD)
  await type(page.getByLabel('New order').getByLabel('Volume', { exact: true }), '0.02')
  await press(button(/^Buy .* lots at/))
  await trader.heard(/Buy 0\.02 .* filled at/)
  const positions = page.getByLabel('Positions and trades')
  await press(button('Close', positions.getByRole('row').filter({ hasText: 'BTCUSD' })))
  await press(button(/^Close .* lots at/, dialog()))
  await trader.heard(/BTCUSD 0\.02 closed at/)
})

step('deposits', async () => {
  await trader.switchAccount()
  await trader.go('/deposite')
  const ways = page.getByRole('radiogroup').or(page.getByRole('group')).first()
  await choose(ways, page.getByRole('radio', { name: /Payment provider/ }))
  await type(page.getByLabel('Amount'), '500')
  await press(button('Continue'))
  await button('I’ve paid').waitFor()
  const reference = /CD-[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(await both.sandbox.panel())[0]
  await both.sandbox.settle(reference, 'paid')
  await page.getByRole('heading', { name: 'Credited', exact: true }).waitFor()
})

step('withdraws', async () => {
  await trader.setPaymentPassword(DIGITS)
  await trader.saveAddress(DIGITS, { network: 'TRON (TRC-20)', address: TRON, name: 'Exchange' })
  await trader.identify('review')
  await trader.submitIdentity()
  const reviewer = await comeToDesk(browser, server, 'rae')
  await reviewer.approveIdentity()
  await page.reload()
  await page.getByRole('heading', { name: 'Your identity is verified' }).waitFor()
  await skipWait(server, 'payees')
  await trader.go('/withdraw')
  const ways = page.getByRole('radiogroup').or(page.getByRole('group')).first()
  await choose(ways, page.getByRole('radio', { name: /Crypto withdrawal/ }))
  await press(page.getByRole('radio', { name: /Exchange/ }), 'Space')
  await type(page.getByLabel('Amount', { exact: true }), '120')
  await press(button('Review'))
  await type(dialog().getByLabel('Payment password', { exact: true }), DIGITS)
  await skipWait(server, 'codes')
  await press(dialog().getByRole('button', { name: /^Send (code|again)$/ }))
  await page.getByText(/The code works for 10 minutes/).waitFor()
  await type(dialog().getByLabel('Verification code'), await codeFor(server, trader.email))
  await press(button(/^Withdraw/, dialog()))
  await page.getByRole('heading', { name: 'In review', exact: true }).waitFor()
  assert.deepEqual(trader.problems, [])
})

test('a control that Tab skips is found', async () => {
  const other = await browser.newPage()
  const mine = page
  page = other
  await page.setContent('<button>First</button><button tabindex="-1">Second</button>')
  await assert.rejects(press(button('Second')), /Tab never reaches/)
  await page.setContent('<style>:focus { outline: none }</style><button>Plain</button>')
  await assert.rejects(press(button('Plain')), /shows no focus/)
  page = mine
  await other.close()
})
