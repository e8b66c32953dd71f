import { beforeAll, expect, test } from 'vitest'
import { loadTexts, startI18n } from '@/i18n/i18n'
import { linkOf, messageText } from './message-text'

const style = { tag: 'en-US', hourCycle: '24', timeZone: 'local' } as const
const message = (key: string, args: Record<string, string>) => ({
  id: 1,
  key,
  args,
  time: 1,
  read: false,
})

beforeAll(async () => {
  await startI18n(() => {})
  await loadTexts()
})

test('amounts stand as everywhere in the app', () => {
  const words = messageText(
    message('message.deposit_credited', { number: 'DP-7', credited: '12500.5 USDT' }),
    style,
  )
  expect(words).toEqual({
    title: 'Your deposit has been credited',
    body: 'Deposit DP-7: 12,500.50 USDT has been credited to your Candor account.',
  })
})

test('texts of the app stand for their keys, and what says nothing leaves no gap', () => {
  const rejected = message('message.deposit_rejected', {
    number: 'DP-7',
    amount: '10 USDT',
    reason: '{{deposit.reason.not_received}}',
  })
  expect(messageText(rejected, style)?.body).not.toMatch(/deposit\.reason|\{\{/)
  const without = message('message.deposit_rejected', { ...rejected.args, reason: '' })
  expect(messageText(without, style)?.body).not.toMatch(/ {2}/)
  const unknown = message('message.restricted', { what: '{{no.such_text}}', why: 'x' })
  expect(messageText(unknown, style)?.body).not.toMatch(/no\.such_text/)
})

test('a day is that day wherever it is read', () => {
  const words = messageText(message('message.identity_expiring', { date: '2026-12-01' }), style)
  expect(words?.body).toMatch(/Dec 1, 2026/)
})

test('a message that this app has no text for has no words', () => {
  expect(messageText(message('message.of_tomorrow', {}), style)).toBeNull()
})

test('an argument cannot bring another text in by itself', () => {
  const words = messageText(
    message('message.withdrawal_sent', { number: 'WD-1', net: '1 USDT', payee: '$t(ui.close)' }),
    style,
  )
  expect(words?.body).toContain('$t(ui.close)')
})

test('a result has its sign and its cents, a price its decimals, and the account its name', () => {
  const words = messageText(
    message('message.closed_take_profit', {
      demo: '{{home.account.demo}} · ',
      account: '{{session.type.demo}}',
      side: '{{trade.buy}}',
      symbol: 'BTCUSD',
      lots: '0.1',
      price: '64210.00',
      result: '+1124.50 USDT',
    }),
    style,
  )
  expect(words).toEqual({
    title: 'Demo · Take profit closed BTCUSD: +1,124.50 USDT',
    body: 'Your take profit closed a position: Buy 0.1 lots of BTCUSD, at 64,210.00. Result: +1,124.50 USDT. Account: Demo account.',
  })
})

test('a loss keeps its minus', () => {
  const words = messageText(
    message('message.stop_out', {
      demo: '',
      account: '',
      level: '50',
      positions: '3',
      result: '-7.00 USDT',
    }),
    style,
  )
  expect(words?.title).toBe('Stop-out: positions closed, −7.00 USDT')
})

const session = { authStatus: 3, mock: false }

test.each([
  ['message.deposit_credited', { number: 'DP-7' }, { path: '/deposite?id=7' }],
  ['message.withdrawal_sent', { number: 'WD-12' }, { path: '/withdraw?id=12' }],
  ['message.deposit_held', {}, { path: '/deposite?tab=history' }],
  ['message.identity_approved', {}, { path: '/successful' }],
  ['message.restricted', {}, { path: '/myCenter' }],
  ['message.of_tomorrow', {}, undefined],
  ['message.order_filled', { book: 'real', fill: '9' }, { fillId: 9 }],
  ['message.closed_stop_loss', { book: 'real', fill: '9' }, { fillId: 9 }],
  ['message.stop_out', { book: 'real', fill: '9' }, { path: '/historyOrders?closed=stop_out' }],
  ['message.margin_call', { book: 'real' }, { path: '/order' }],
  ['message.order_expired', { book: 'real' }, { path: '/historyOrders?list=orders' }],
  ['message.charged', { book: 'real' }, { path: '/mywallet' }],
  ['message.order_filled', { book: 'mock', fill: '9' }, 'switch_account'],
])('%s leads to what it is about', (key, args, link) => {
  expect(linkOf(message(key, args as Record<string, string>), session)).toEqual(link)
})

test('a message about the demo account leads to its fill while that account is in use', () => {
  const filled = message('message.order_filled', { book: 'mock', fill: '9' })
  expect(linkOf(filled, { ...session, mock: true })).toEqual({ fillId: 9 })
})

test('a message about another account of the trader leads to the switch', () => {
  const filled = message('message.order_filled', { book: 'real', account_id: '1004', fill: '9' })
  expect(linkOf(filled, { ...session, accountId: 1000 })).toBe('switch_account')
  expect(linkOf(filled, { ...session, accountId: 1004 })).toEqual({ fillId: 9 })
})
