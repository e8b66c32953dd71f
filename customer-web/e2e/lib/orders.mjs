// Orders that wait for their price, placed through the ticket by a trader on the trade screen of EURUSD.
import { picture } from './pictures.mjs'

/** The ticket's buy side, and the ask as it shows it. */
async function askIn(ticket) {
  const text = await ticket.getByRole('radio', { name: /^Buy/ }).innerText()
  return Number(/\d+\.\d+/.exec(text.replaceAll(',', ''))[0])
}

/** Fills in and places an order; the prices are parts of the ask. */
export async function place(trader, kind, side, { price, limit, minutes }) {
  const { page } = trader
  const ticket = await trader.ticket()
  await ticket.getByRole('radio', { name: kind, exact: true }).check()
  await ticket.getByRole('radio', { name: new RegExp(`^${side}`) }).click()
  await ticket.getByLabel('Volume', { exact: true }).fill('0.10')
  await picture(page, `ticket-${kind}`)
  if (minutes) await expireIn(ticket, minutes)
  else await ticket.getByLabel('Expiry').selectOption('Good till cancelled')
  // Read last of all, so that the market has not gone past the price when it is sent.
  const ask = await askIn(ticket)
  const field = kind === 'Limit' ? 'Limit price' : 'Stop price'
  await ticket.getByLabel(field, { exact: true }).fill((ask * price).toFixed(5))
  if (limit) await ticket.getByLabel('Limit price', { exact: true }).fill((ask * limit).toFixed(5))
  const name = `${side} ${kind.toLowerCase()}`
  await ticket.getByRole('button', { name: `Place ${name.toLowerCase()} at` }).click()
  await page.getByText(new RegExp(`${name} 0.10 EURUSD placed at`)).waitFor()
}

/** Lets the order of the ticket end some minutes of market time from now. */
async function expireIn(ticket, minutes) {
  await ticket.getByLabel('Expiry').selectOption('Date and time')
  const field = ticket.getByLabel('Expires at')
  const now = Date.parse(`${await field.getAttribute('min')}Z`)
  await field.fill(new Date(now + minutes * 60_000).toISOString().slice(0, 16))
}

/** Fills in and places two orders of which one ends the other; the prices are parts of the ask. */
export async function placePair(trader, side, { limit, stop }) {
  const { page } = trader
  const ticket = await trader.ticket()
  await ticket.getByRole('radio', { name: 'OCO', exact: true }).check()
  await ticket.getByRole('radio', { name: new RegExp(`^${side}`) }).click()
  await ticket.getByLabel('Volume', { exact: true }).fill('0.20')
  await picture(page, 'ticket-oco')
  const ask = await askIn(ticket)
  const leg = (kind) => ticket.getByRole('group', { name: `${side} ${kind}` })
  await leg('limit')
    .getByLabel('Limit price', { exact: true })
    .fill((ask * limit).toFixed(5))
  await leg('stop')
    .getByLabel('Stop price', { exact: true })
    .fill((ask * stop).toFixed(5))
  await ticket.getByRole('button', { name: 'Place both orders' }).click()
  await page.getByText(`${side} limit and ${side} stop 0.20 EURUSD placed as a pair`).waitFor()
}
