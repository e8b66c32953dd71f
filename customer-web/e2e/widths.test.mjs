// A visitor with demo money at every width and in every language of the app: looks for a product, trades it, closes the position and reads about it. On every screen
// nothing is wider than the window, and no text is missing. `make journeys` takes all widths and languages; without it a sample of them runs.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch } from './lib/chromium.mjs'
import { startServer } from './lib/server.mjs'
import { patternOf, textsOf } from './lib/texts.mjs'

const WIDTHS = [360, 390, 768, 1024, 1440, 2560]
const LANGUAGES = ['en', 'ar', 'zh_CN']
const SAMPLE = ['360 ar', '768 zh_CN', '1024 en', '2560 ar']
/** Trades at any hour of the week. */
const BTCUSD = 201

/** Further screens that a visitor with demo money may open. */
const SCREENS = [
  '/home/index',
  '/quotes?tab=movers',
  '/quotes?tab=us_stocks',
  `/product?product=${BTCUSD}`,
  '/search',
  '/order',
  '/mywallet',
  '/preferenceSet',
  '/lang',
  '/myCenter',
  '/switchAccount',
  '/notice',
  '/news',
  '/problem',
  '/kefu',
  '/proof',
  '/aboutUs',
  '/register',
  '/forgetPwd',
]

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

class Journey {
  constructor(width, lang) {
    Object.assign(this, { width, lang, texts: textsOf(lang), desktop: width >= 1024 })
    this.keys = new Set(Object.keys(this.texts))
    this.problems = []
  }

  async open() {
    this.context = await browser.newContext({
      viewport: { width: this.width, height: this.desktop ? 900 : 800 },
      hasTouch: !this.desktop,
    })
    await this.context.addInitScript((lang) => localStorage.setItem('locale', lang), this.lang)
    this.page = await this.context.newPage()
    this.page.on('pageerror', (error) => this.problems.push(error.message))
  }

  /** A button whose whole text is that of the key, with any arguments. */
  button(key, within = this.page) {
    return within.getByRole('button', { name: patternOf(this.texts[key]) })
  }

  /** Opens a screen and looks at it. */
  async visit(path) {
    await this.page.goto(`${server.url}/#${path}`)
    await this.page.getByRole('main').waitFor()
    await this.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await this.look(path)
  }

  /** Requires that nothing is wider than the window and that no key stands in place of a text. */
  async look(where) {
    const { wide, words } = await this.page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - window.innerWidth,
      words: document.body.innerText.match(/[a-z0-9_]+(?:\.[a-z0-9_]+)+/g) ?? [],
    }))
    assert.ok(wide <= 0, `${where} is ${wide} px wider than the window`)
    assert.deepEqual(
      words.filter((word) => this.keys.has(word)),
      [],
      `${where} shows keys of texts`,
    )
    assert.deepEqual(this.problems, [], where)
  }

  /** Begins with demo money and lands on the trade screen. */
  async tryDemo() {
    await this.visit('/home/index')
    await this.button('shell.try_demo').first().click()
    await this.page.waitForURL((url) => /#\/(pc\/)?trade/.test(url.hash))
  }

  async buy() {
    await this.visit(`${this.desktop ? '/pc/trade' : '/trade'}?product=${BTCUSD}`)
    const buy = new RegExp(`^${this.texts['trade.buy']}`)
    if (!this.desktop) {
      await this.page.getByRole('button', { name: buy }).last().click()
      await this.page.getByRole('dialog').waitFor()
      await this.look('the ticket')
    }
    const order = patternOf(this.texts['trade.submit'].replace('{{side}}', this.texts['trade.buy']))
    await this.page.getByRole('button', { name: order }).click()
    await this.page.getByText(patternOf(this.texts['trade.filled'])).first().waitFor()
  }

  async closePosition() {
    await this.visit('/order')
    const close = this.page.getByRole('button', { name: this.texts['position.close'], exact: true })
    await close.first().click()
    const dialog = this.page.getByRole('dialog')
    await this.look('the sheet that closes')
    await this.button('position.close.submit', dialog).click()
    await this.page.getByText(patternOf(this.texts['position.close.done'])).first().waitFor()
    await this.visit('/historyOrders')
    await this.page.getByText('BTCUSD').filter({ visible: true }).first().waitFor()
    await this.look('the history')
  }
}

const all = WIDTHS.flatMap((width) => LANGUAGES.map((lang) => `${width} ${lang}`))

for (const one of process.env.JOURNEYS === 'all' ? all : SAMPLE) {
  const [width, lang] = one.split(' ')
  test(`a visitor with demo money at ${width} px in ${lang}`, async () => {
    const journey = new Journey(Number(width), lang)
    await journey.open()
    await journey.tryDemo()
    await journey.buy()
    await journey.closePosition()
    for (const path of SCREENS) await journey.visit(path)
    await journey.context.close()
  })
}

test('what is wider than the window is found', async () => {
  const journey = new Journey(390, 'en')
  await journey.open()
  await journey.visit('/proof')
  await journey.page.evaluate(() => {
    document.querySelector('main').style.inlineSize = '500px'
  })
  await assert.rejects(journey.look('/proof'), /wider than the window/)
  await journey.context.close()
})
