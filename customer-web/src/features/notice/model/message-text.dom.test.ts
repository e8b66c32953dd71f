import { beforeAll, expect, test } from 'vitest'
import { loadTexts, startI18n } from '@/i18n/i18n'
import { messageText, pathOf } from './message-text'

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

test.each([
  ['message.deposit_credited', { number: 'DP-7' }, '/deposite?id=7'],
  ['message.withdrawal_sent', { number: 'WD-12' }, '/withdraw?id=12'],
  ['message.deposit_held', {}, '/deposite?tab=history'],
  ['message.identity_approved', {}, '/successful'],
  ['message.restricted', {}, '/myCenter'],
  ['message.of_tomorrow', {}, undefined],
])('%s leads to what it is about', (key, args, path) => {
  expect(pathOf(message(key, args as Record<string, string>), 3)).toBe(path)
})
