// Places pending orders through the ticket, for a trader on the trade screen of EURUSD.
import { picture } from './pictures.mjs'
import { waitFor } from './server.mjs'

/** Reads the ask from the ticket's buy side. */
async function askIn(ticket) {
  const text = await ticket.getByRole('radio', { name: /^Buy/ }).innerText()
  return Number(/\d+\.\d+/.exec(text.replaceAll(',', ''))[0])
}

/** Fills in and submits until the app reports success: the market may pass the prices before they arrive. */
async function press(trader, button, said, fill) {
  await waitFor(async () => {
    await fill()
    const since = await trader.messages()
    return button
      .click({ timeout: 3_000 })
      .then(() => trader.heard(said, { timeout: 10_000, since }))
      .then(
        () => true,
        () => false,
      )
  }, 60_000)
}

/** Places an order; the prices are multiples of the ask. */
export async function place(trader, kind, side, { price, limit, minutes }) {
  const { page } = trader
  const ticket = await trader.ticket()
  await ticket.getByRole('radio', { name: kind, exact: true }).check()
  await ticket.getByRole('radio', { name: new RegExp(`^${side}`) }).click()
  await ticket.getByLabel('Volume', { exact: true }).fill('0.10')
  await picture(page, `ticket-${kind}`)
  if (!minutes) await ticket.getByLabel('Expiry').selectOption('Good till cancelled')
  const name = `${side} ${kind.toLowerCase()}`
  const field = kind === 'Limit' ? 'Limit price' : 'Stop price'
  const button = ticket.getByRole('button', { name: `Place ${name.toLowerCase()} at` })
  await press(trader, button, new RegExp(`${name} 0.10 EURUSD placed at`), async () => {
    if (minutes) await expireIn(ticket, minutes)
    const ask = await askIn(ticket)
    await ticket.getByLabel(field, { exact: true }).fill((ask * price).toFixed(5))
    if (limit)
      await ticket.getByLabel('Limit price', { exact: true }).fill((ask * limit).toFixed(5))
  })
}

/** Sets the ticket's expiry to some minutes of market time from now. */
async function expireIn(ticket, minutes) {
  await ticket.getByLabel('Expiry').selectOption('Date and time')
  const field = ticket.getByLabel('Expires at')
  const now = Date.parse(`${await field.getAttribute('min')}Z`)
  await field.fill(new Date(now + minutes * 60_000).toISOString().slice(0, 16))
}

/** Places an OCO pair; the prices are multiples of the ask. */
export async function placePair(trader, side, { limit, stop }) {
  const { page } = trader
  const ticket = await trader.ticket()
  await ticket.getByRole('radio', { name: 'OCO', exact: true }).check()
  await ticket.getByRole('radio', { name: new RegExp(`^${side}`) }).click()
  await ticket.getByLabel('Volume', { exact: true }).fill('0.20')
  await picture(page, 'ticket-oco')
  const leg = (kind) => ticket.getByRole('group', { name: `${side} ${kind}` })
  const told = (kind, field) => leg(kind).getByLabel(field, { exact: true })
  const button = ticket.getByRole('button', { name: 'Place both orders' })
  const said = new RegExp(`${side} limit and ${side} stop 0.20 EURUSD placed as a pair`)
  await press(trader, button, said, async () => {
    const ask = await askIn(ticket)
    await told('limit', 'Limit price').fill((ask * limit).toFixed(5))
    await told('stop', 'Stop price').fill((ask * stop).toFixed(5))
  })
}
