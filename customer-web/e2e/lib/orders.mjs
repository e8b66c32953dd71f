// Places pending orders through the ticket, for a trader on the trade screen of EURUSD.
import { picture } from './pictures.mjs'

/** The market may pass the prices before they arrive: then they are filled in again. */
const PASSING = { timeout: 60_000, click: { timeout: 3_000 } }

/** Reads the ask from the ticket's buy side. */
async function askIn(ticket) {
  const text = await ticket.getByRole('radio', { name: /^Buy/ }).innerText()
  return Number(/\d+\.\d+/.exec(text.replaceAll(',', ''))[0])
}

/** Places an order; the prices are multiples of the ask. */
export async function place(
  trader,
  kind,
  side,
  { price, limit, minutes, symbol = 'EURUSD', lots = '0.10', decimals = 5 },
) {
  const { page } = trader
  const ticket = await trader.ticket()
  await ticket.getByRole('radio', { name: kind, exact: true }).check()
  await ticket.getByRole('radio', { name: new RegExp(`^${side}`) }).click()
  await ticket.getByLabel('Volume', { exact: true }).fill(lots)
  await picture(page, `ticket-${kind}`)
  if (!minutes) await trader.choose(ticket, 'Expiry', 'Good till cancelled')
  const name = `${side} ${kind.toLowerCase()}`
  const field = kind === 'Limit' ? 'Limit price' : 'Stop price'
  const button = ticket.getByRole('button', {
    name: new RegExp(`^${side} .* lots ${kind.toLowerCase()} at`),
  })
  if (minutes) await expireIn(trader, ticket, minutes)
  const fill = async () => {
    const ask = await askIn(ticket)
    await ticket.getByLabel(field, { exact: true }).fill((ask * price).toFixed(decimals))
    if (limit)
      await ticket.getByLabel('Limit price', { exact: true }).fill((ask * limit).toFixed(decimals))
  }
  await trader.until(button, new RegExp(`${name} ${lots} ${symbol} placed at`), {
    ...PASSING,
    fill,
  })
}

/** Sets the ticket's expiry to some minutes of market time from now, once the ticket has offered the same time tomorrow. */
async function expireIn(trader, ticket, minutes) {
  await trader.choose(ticket, 'Expiry', 'Date and time')
  const field = ticket.getByRole('group', { name: 'Expires at' })
  await field.waitFor()
  const [day, month, year, hour, minute] = (await field.innerText()).match(/\d+/g).map(Number)
  const until = new Date(Date.UTC(year, month - 1, day - 1, hour, minute + minutes)).toISOString()
  const digits = (from, to) => until.slice(from, to)
  // Each part leads on to the next one, in the British order.
  await field.getByRole('spinbutton', { name: 'Day' }).click()
  await trader.page.keyboard.type(
    digits(8, 10) + digits(5, 7) + digits(0, 4) + digits(11, 13) + digits(14, 16),
  )
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
  const button = ticket.getByRole('button', { name: new RegExp(`^${side} .* or ${side} `) })
  const said = new RegExp(`${side} limit and ${side} stop 0.20 EURUSD placed as a pair`)
  const fill = async () => {
    const ask = await askIn(ticket)
    await told('limit', 'Limit price').fill((ask * limit).toFixed(5))
    await told('stop', 'Stop price').fill((ask * stop).toFixed(5))
  }
  await trader.until(button, said, { ...PASSING, fill })
}
