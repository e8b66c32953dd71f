// A trader invites another one by a link; the same browser can't invite itself; on a desktop and on a phone.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
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

async function look(trader, name) {
  await picture(trader.page, name)
  await checkBothThemes(trader.page, `${name} at ${trader.width}`)
}

describe('invitations', { concurrency: 2 }, () => {
  for (const width of [1440, 390]) {
    test(`a friend comes by the link at ${width}`, async () => {
      const inviter = await new Trader(browser, server, `ina${width}@trader.example`, width).open()
      const friend = await new Trader(browser, server, `fay${width}@trader.example`, width).open()
      try {
        await inviter.register()
        await inviter.go('/invite')
        await inviter.page.getByText('Nobody has registered with your link yet.').waitFor()
        await look(inviter, 'invite-empty')
        const link = await inviter.page.getByText(/#\/register\?invite=/).textContent()
        const code = /invite=(\w+)/.exec(link)[1]

        await friend.register(`/register?invite=${code}`)
        await friend.go('/invite')
        await friend.page.getByText(/someone earns a rebate on your trades/).waitFor()

        await inviter.page.reload()
        await inviter.page.getByText(/fa•••\d@trader.example/).waitFor()
        await look(inviter, 'invite')
        assert.deepEqual([...inviter.problems, ...friend.problems], [])
      } catch (error) {
        await inviter.page
          .screenshot({ path: join(tmpdir(), `candor-invite-${width}.png`) })
          .catch(() => {})
        throw error
      }
      await inviter.close()
      await friend.close()
    })
  }
})
