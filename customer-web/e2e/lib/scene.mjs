// Prepares one evening at the broker, for tests and screenshots of every page: a trader with positions, a waiting deposit, and staff at work.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Member } from './desk.mjs'
import { place, placePair } from './orders.mjs'
import { writeRecording } from './recording.mjs'
import { startServer, waitFor } from './server.mjs'
import { textsOf } from './texts.mjs'
import { Trader } from './trader.mjs'

const EURUSD = 1
const XAUUSD = 101

/** The server's answers about a decided verification. */
const sentBack = {
  authStatus: 2,
  level: 0,
  state: 'resubmission_required',
  applicationNo: 'ID-31',
  version: 12,
  attempt: 1,
  attemptsLeft: 2,
  country: 'CH',
  documentType: 'id_card',
  images: ['front', 'back', 'selfie'].map((side) => ({
    side,
    present: side === 'back',
    replaceable: side !== 'back',
  })),
  asked: [
    { part: 'front', reason: 'glare' },
    { part: 'selfie', reason: 'face_hidden' },
  ],
  mayChangeData: false,
}
const decided = {
  ...sentBack,
  images: [],
  asked: [],
  decidedAt: Date.UTC(2026, 10, 20, 9, 30),
}
const rejected = { ...decided, state: 'rejected_final', reason: 'not_accepted' }
const approved = {
  ...decided,
  authStatus: 3,
  level: 1,
  state: 'approved',
  fullName: 'Tess Tester',
}

/**
 * Screens of the trader app: name, path, viewer, the only width if there is one, the texts pressed on it in order, and the verification to show, where it
 * differs from the trader's own.
 */
export const screens = [
  ['home', '/home/index', 'guest'],
  ['quotes', '/quotes?tab=forex', 'guest'],
  ['product', `/product?product=${EURUSD}`, 'guest'],
  ['search', '/search', 'guest'],
  ['editFav', '/editFav', 'guest'],
  ['lang', '/lang', 'guest'],
  ['preferenceSet', '/preferenceSet', 'guest'],
  ['chart', `/webview/chart?product=${XAUUSD}&period=1m`, 'guest'],
  ['chart-signed-in', `/webview/chart?product=${EURUSD}&period=15m`, 'trader'],
  ['proof', '/proof', 'guest'],
  ['kefu', '/kefu', 'guest'],
  ['notice', '/notice', 'depositor'],
  ['notice-messages', '/notice?tab=messages', 'depositor'],
  ['news', '/news', 'guest'],
  ['problem', '/problem', 'guest'],
  ['aboutUs', '/aboutUs', 'guest'],
  ['relevant', '/relevant', 'guest'],
  ['relevant-risk', '/relevant?page=risk', 'guest'],
  ['login', '/login', 'guest'],
  ['register', '/register', 'guest'],
  ['forgetPwd', '/forgetPwd', 'guest'],
  ['home-signed-in', '/home/index', 'trader'],
  ['trade', `/trade?product=${XAUUSD}`, 'trader', 390],
  ['pc-trade', `/pc/trade?product=${XAUUSD}`, 'trader', 1440],
  ['ticket-oco', `/trade?product=${EURUSD}`, 'trader', 390, ['trade.buy', 'trade.oco']],
  ['pc-ticket-oco', `/pc/trade?product=${EURUSD}`, 'trader', 1440, ['trade.oco']],
  ['order', '/order', 'trader'],
  ['close', '/order', 'trader', null, ['position.close']],
  ['close-by', '/order', 'trader', null, ['position.close', 'position.way.close_by']],
  ['reverse', '/order', 'trader', null, ['position.close', 'position.way.reverse']],
  ['protect', '/order', 'trader', null, ['position.protect', 'trade.rule_of.trailing']],
  ['close-all', '/order', 'trader', null, ['position.close_all']],
  ['pending', '/order', 'trader', null, ['trade.pending']],
  ['edit-order', '/order', 'trader', null, ['trade.pending', 'waiting.edit']],
  ['historyOrders', '/historyOrders', 'trader'],
  ['historyOrders-fills', '/historyOrders?list=fills', 'trader'],
  ['historyOrders-ended', '/historyOrders?list=orders', 'trader'],
  ['historyOrders-performance', '/historyOrders?list=performance', 'trader'],
  ['historyOrders-filters', '/historyOrders', 'trader', null, ['history.filters']],
  ['statement', '/statement', 'trader'],
  ['deposite', '/deposite', 'depositor'],
  ['withdraw', '/withdraw', 'depositor'],
  ['withdraw-history', '/withdraw?tab=history', 'depositor'],
  ['withdraw-account', '/withdraw?step=account', 'depositor'],
  ['withdraw-demo', '/withdraw', 'trader'],
  ['mywallet', '/mywallet', 'depositor'],
  ['ledger', '/ledger', 'depositor'],
  ['ledger-charges', '/ledger?list=charges', 'depositor', null, ['charges.heading']],
  ['addressManage', '/addressManage', 'depositor'],
  ['addressManage-only', '/addressManage', 'depositor', null, ['payee.only.title']],
  ['addressManage-demo', '/addressManage', 'trader'],
  ['addAddress', '/addAddress', 'depositor'],
  ['authenticate-country', '/authenticate?step=country', 'applicant'],
  ['authenticate-type', '/authenticate?step=type', 'applicant'],
  ['authenticate-data', '/authenticate?step=data', 'applicant'],
  ['authenticate-front', '/authenticate?step=front', 'applicant'],
  ['authenticate-selfie', '/authenticate?step=selfie', 'applicant'],
  ['authenticate-review', '/authenticate', 'applicant'],
  ['process', '/process?status=REVIEW', 'depositor'],
  ['process-withdraw', '/process?status=REVIEW', 'depositor', null, ['identity.withdraw.open']],
  ['failed', '/failed', 'applicant', null, [], sentBack],
  ['failed-fix', '/authenticate?step=selfie', 'applicant', null, [], sentBack],
  ['failed-final', '/failed', 'applicant', null, [], rejected],
  ['successful', '/successful', 'applicant', null, [], approved],
  ['kefu-signed-in', '/kefu', 'trader'],
  ['myCenter', '/myCenter', 'trader'],
  ['switchAccount', '/switchAccount', 'trader'],
  ['securitySet', '/securitySet', 'depositor'],
  ['modifyPayPassword', '/modifyPayPassword', 'depositor'],
  [
    'modifyPayPassword-forgotten',
    '/modifyPayPassword',
    'depositor',
    null,
    ['payment_password.forgot'],
  ],
  ['modifyPayPassword-demo', '/modifyPayPassword', 'trader'],
]

/**
 * Starts a server and fills it. `sessions` contains the browser storage of each kind of viewer; `desk` contains the pages of the back office with the member of
 * staff who opens them.
 */
export async function setScene(browser) {
  const scratch = mkdtempSync(join(tmpdir(), 'candor-scene-'))
  const server = await startServer({
    env: {
      CANDOR_FEED: `replay:${writeRecording(scratch)}`,
      CANDOR_FEED_SPEED: '20',
      CANDOR_FEED_START: '30m',
    },
  })
  const close = async () => {
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
  try {
    const [{ ada, fin, rita, cleo, cy }, { sessions, number }] = await Promise.all([
      openDesks(browser, server),
      openAccounts(browser, server),
    ])
    const desk = [
      ...(await deskPages(ada, fin, number)),
      ...(await identityPages(rita)),
      ...productPages(cleo, cy),
    ]
    return { server, sessions, ada, fin, desk, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Hires the staff; one of them requests new terms. */
async function openDesks(browser, server) {
  const ada = await new Member(browser, server, 'Ada Adams', 'ada@desk.example').open()
  await ada.enrol(server.firstLink)
  const bea = await ada.inviteSecond()
  const fin = await ada.hire(bea, 'Fin Maker', 'fin@desk.example', 'finance_maker', 'Finance maker')
  const rita = await ada.hire(
    bea,
    'Rita Reviewer',
    'rita@desk.example',
    'compliance_reviewer',
    'Compliance reviewer',
  )
  const cleo = await ada.hire(bea, 'Cleo Ask', 'cleo@desk.example', 'config_admin', 'Config admin')
  const cy = await ada.hire(
    bea,
    'Cy Agree',
    'cy@desk.example',
    'config_approver',
    'Config approver',
  )
  await bea.context.close()
  await cleo.askTerms(
    EURUSD,
    { 'Stop level': '30', 'From volume, tier 2': '10', 'From volume, tier 3': '20' },
    'The risk desk asked for it.',
  )
  return { ada, fin, rita, cleo, cy }
}

/** Opens traders with data for all their screens; returns the browser storage of each, and the number of a waiting deposit. */
async function openAccounts(browser, server) {
  const sessions = { guest: {} }
  const trader = await new Trader(browser, server, 'tess@trader.example').open()
  await trader.register()
  const number = await trader.deposit('1500')
  await trader.setPaymentPassword('482915')
  await trader.saveAddress('482915', {
    network: 'Ethereum (ERC-20)',
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    name: 'Hardware wallet',
  })
  await trader.identify('review')
  await trader.submitIdentity()
  sessions.depositor = await trader.stored()
  // A session ends when its trader switches the account, so another trader has the demo account.
  const demo = await new Trader(browser, server, 'theo@trader.example').open()
  await demo.register()
  await demo.switchAccount()
  await demo.terminal(EURUSD)
  await demo.order('Buy', '0.20')
  await demo.closePosition('EURUSD', '0.20')
  await demo.order('Sell', '0.10')
  // Far from the market, so that they do not trigger.
  await place(demo, 'Limit', 'Sell', { price: 1.03 })
  await demo.page.getByRole('tab', { name: /Pending/ }).click()
  await demo.page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await demo.heard(/Sell limit cancelled/)
  await place(demo, 'Stop-limit', 'Buy', { price: 1.03, limit: 1.031 })
  await placePair(demo, 'Buy', { limit: 0.85, stop: 1.05 })
  await demo.terminal(XAUUSD)
  await demo.order('Buy', '0.10')
  await demo.terminal(EURUSD)
  await demo.order('Buy', '0.20')
  sessions.trader = await demo.stored()
  const applicant = await new Trader(browser, server, 'tara@trader.example').open()
  await applicant.register()
  await applicant.identify('review')
  sessions.applicant = await applicant.stored()
  await applicant.close()
  // A claimed application can't be withdrawn, so the reviewer gets the one of a trader without screens.
  const reviewed = await new Trader(browser, server, 'tina@trader.example').open()
  await reviewed.register()
  await reviewed.identify('review')
  await reviewed.submitIdentity()
  await reviewed.close()
  await trader.close()
  await demo.close()
  return { sessions, number }
}

/** The path of the first or last row of a list. */
async function linked(member, list, text = '', which = 'first') {
  await member.page.goto(member.server.url + list)
  const link = member.page.locator(`main a[href^="${list}/"]`).filter({ hasText: text })
  return link[which]().getAttribute('href')
}

/** Chooses a role, so that the dialog says what it may do. */
async function chooseRole(member) {
  await member.dialog().getByLabel('Role').selectOption('finance_checker')
  await member.dialog().getByText('What this role may do').waitFor()
}

/** The pages of the back office: name, member, path, the button that opens a dialog, and the steps in the dialog. */
async function deskPages(ada, fin, depositNumber) {
  const deposit = await linked(fin, '/admin/deposits', depositNumber)
  await fin.page.goto(fin.server.url + deposit)
  await fin.claim()
  const trader = await linked(fin, '/admin/traders')
  const colleague = await linked(ada, '/admin/staff', 'Fin Maker')
  return [
    ['home', ada, '/admin'],
    ['staff', ada, '/admin/staff'],
    ['staff-filter', ada, '/admin/staff', 'Filters'],
    ['roles', ada, '/admin/staff/roles'],
    ['invitation', ada, '/admin/staff', 'Invite'],
    ['colleague', ada, colleague],
    ['role', ada, colleague, 'Assign a role', chooseRole],
    ['audit', ada, '/admin/audit'],
    ['audit-narrowed', ada, '/admin/audit?area=staff&ip=127.0.0.1'],
    ['audit-filter', ada, '/admin/audit', 'Filters'],
    ['outbox', ada, '/admin/outbox'],
    ['products', ada, '/admin/products'],
    ['home-finance', fin, '/admin'],
    ['deposits', fin, '/admin/deposits'],
    ['deposit', fin, deposit],
    ['approval', fin, deposit, /^Approve/],
    ['rejection', fin, deposit, /^Reject/],
    ['withdrawals', fin, '/admin/withdrawals'],
    ['withdrawals-filter', fin, '/admin/withdrawals', 'Filters'],
    ['adjustments', fin, '/admin/adjustments'],
    ['reconciliation', fin, '/admin/reconciliation'],
    ['traders', fin, '/admin/traders'],
    ['traders-nobody', fin, '/admin/traders?q=nobody@trader.example'],
    ['trader', fin, trader],
    ['trader-orders', fin, `${trader}/orders`],
    ['trader-funds', fin, `${trader}/funds`],
    ['adjustment', fin, `${trader}/funds`, 'Adjust'],
    ['trader-devices', fin, `${trader}/devices`],
    ['trader-audit', fin, `${trader}/audit`],
  ]
}

/** The pages of a verification case; it is claimed first, since an unclaimed one shows nothing. */
async function identityPages(rita) {
  const identity = await linked(rita, '/admin/identity', '', 'last')
  await rita.page.goto(rita.server.url + identity)
  await rita.page.getByRole('button', { name: /^Claim/ }).click()
  await rita.page.getByRole('button', { name: /^Release/ }).waitFor()
  return [
    ['home-compliance', rita, '/admin'],
    ['identity', rita, '/admin/identity'],
    ['identity-case', rita, identity],
    ['identity-question', rita, identity, /^Request resubmission/],
    ['identity-escalation', rita, identity, /^Escalate/],
  ]
}

/** The pages of a product, for the requester of new terms and for the approver. */
function productPages(cleo, cy) {
  const gold = `/admin/products/${XAUUSD}`
  const review = (member) =>
    member.draftTerms({ 'Stop level': '60' }, 'Figures come out that week.')
  return [
    ['product', cleo, gold],
    ['product-terms', cleo, gold, 'Change terms'],
    ['product-review', cleo, gold, 'Change terms', review],
    ['home-config', cy, '/admin'],
    ['product-waiting', cy, `/admin/products/${EURUSD}`],
    ['product-agreement', cy, `/admin/products/${EURUSD}`, 'Approve'],
  ]
}

/** Waits until nothing is loading and every finite animation has ended. */
async function settled(page) {
  await page.waitForFunction(
    () =>
      !document.querySelector('[aria-busy=true]') &&
      document
        .getAnimations()
        .every(
          (one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity,
        ),
  )
}

/** Opens a page of the back office in a theme, with its dialog and the steps in it. */
export async function openDeskPage([, member, path, button, go], theme) {
  const { page, server } = member
  await member.context.addCookies([{ name: 'desk_theme', value: theme, url: server.url }])
  await page.goto(server.url + path)
  if (button) {
    await page.getByRole('button', { name: button }).first().click()
    await member.dialog().waitFor()
    await go?.(member)
  }
  await page.waitForFunction(
    () => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added'),
  )
  await settled(page)
  return page
}

const HEIGHTS = { 360: 740, 390: 844, 768: 1024, 844: 390, 1024: 768, 1440: 900, 2560: 1300 }

/** Shows an open screen of the trader app at another width. */
export async function resizeScreen(page, width) {
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await page.waitForLoadState('networkidle')
  await settled(page)
}

/** Opens a screen of the trader app in a fresh browser with the given width, theme and language. */
export async function openScreen(
  browser,
  scene,
  [, path, who, , presses = [], identity],
  { width, theme, locale },
) {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHTS[width] },
  })
  await context.addInitScript(
    (entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
    },
    { ...scene.sessions[who], themeMode: theme, locale },
  )
  const page = await context.newPage()
  watchTraffic(page)
  if (identity) {
    await page.route('**/findUserAuthInfoNew', (route) =>
      route.fulfill({ json: { status: 1, code: 'ok', data: identity } }),
    )
  }
  await page.goto(`${scene.server.url}/#${path}`)
  await page.waitForLoadState('networkidle')
  await settled(page)
  const texts = textsOf(locale)
  for (const key of presses) {
    // A tab appends its count to its text.
    const whole = new RegExp(`^\\s*${texts[key]}\\s*\\d*$`)
    await page.getByText(whole).filter({ visible: true }).last().click()
    await page.waitForTimeout(400)
    await settled(page)
  }
  return page
}

const QUIET_MS = 400

/** Counts the requests of a page. */
function watchTraffic(page) {
  const traffic = { open: 0, at: Date.now() }
  const count = (by) => () => Object.assign(traffic, { open: traffic.open + by, at: Date.now() })
  page.on('request', count(1))
  page.on('requestfinished', count(-1))
  page.on('requestfailed', count(-1))
  page.traffic = traffic
}

/**
 * Shows a screen of another route in a page of openScreen, which costs a quarter of loading the app anew. The app keeps the screen before until the next one is
 * there.
 */
export async function followTo(page, [, path], { width, theme }) {
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  page.traffic.at = Date.now()
  await page.evaluate(
    ([hash, shown]) => {
      document.documentElement.dataset.theme = shown
      for (const one of document.querySelectorAll('main *')) one.left = true
      location.hash = hash
    },
    [path, theme],
  )
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('main *')]
    return all.length > 0 && all.every((one) => !one.left)
  })
  await waitFor(() => page.traffic.open === 0 && Date.now() - page.traffic.at > QUIET_MS)
  await settled(page)
}
