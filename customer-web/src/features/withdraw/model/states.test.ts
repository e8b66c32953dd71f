import { describe, expect, test } from 'vitest'
import type { Wire } from '@/api/client'
import texts from '../../../../../locales/customer/en/money.json'
import { appearanceOf, isUnderWay, nameKey, reasonKey, stagesOf } from './states'

const all = [
  'review',
  'more_info',
  'approved_1',
  'approved_2',
  'queued',
  'processing',
  'sent',
  'completed',
  'cancelled',
  'rejected',
  'failed',
  'returned',
  'frozen',
  'outcome_unknown',
] as const
const over = ['completed', 'cancelled', 'rejected', 'failed', 'returned']

const withdrawal = (state: Wire['Withdraw']['state'], more: Partial<Wire['Withdraw']> = {}) =>
  ({ state, createdAt: 1, movedAt: 2, promisedAt: 3, ...more }) as Wire['Withdraw']

describe.each(all)('%s', (state) => {
  test('has a way whose stages have texts, once each, with one that is now unless it is over', () => {
    const stages = stagesOf(withdrawal(state))
    const words = stages.map(({ text }) => text)
    for (const word of words) expect(texts).toHaveProperty([word])
    expect(new Set(words).size).toBe(words.length)
    expect(stages.filter(({ phase }) => phase === 'now')).toHaveLength(over.includes(state) ? 0 : 1)
    expect(isUnderWay(state)).toBe(!over.includes(state))
  })

  test('promises a time only where the house acts', () => {
    const { owner, promise } = appearanceOf(state)
    if (promise) expect(['desk', 'bank']).toContain(owner)
  })
})

test('a provider, not a bank, is asked what became of coins', () => {
  const coins = withdrawal('outcome_unknown', { kind: 'standard' })
  expect(nameKey(coins)).toBe('withdraw.coins.outcome_unknown.name')
  expect(stagesOf(coins).find(({ phase }) => phase === 'now')?.text).toBe(nameKey(coins))
  expect(nameKey({ ...coins, kind: 'bank' })).toBe('withdraw.state.outcome_unknown.name')
  expect(nameKey({ ...coins, state: 'sent' })).toBe('withdraw.state.sent.name')
})

test('a third approval shows only where there is one', () => {
  const words = (state: Wire['Withdraw']['state']) =>
    stagesOf(withdrawal(state)).map(({ text }) => text)
  expect(words('approved_2')).toContain('withdraw.stage.third')
  expect(words('approved_1')).not.toContain('withdraw.stage.third')
})

test('a freeze after the approvals keeps them', () => {
  const done = (more: Partial<Wire['Withdraw']>) =>
    stagesOf(withdrawal('frozen', more)).filter(({ phase }) => phase === 'done').length
  expect(done({ queuedAt: 5 })).toBe(3)
  expect(done({})).toBe(1)
})

test('a reason has its text where the state has one, and an unknown one a general text', () => {
  expect(reasonKey(withdrawal('rejected', { reason: 'account_closed' }))).toBe(
    'withdraw.reason.account_closed',
  )
  expect(reasonKey(withdrawal('frozen', { reason: 'something_new' }))).toBe('withdraw.reason.other')
  expect(reasonKey(withdrawal('review', { reason: 'account_closed' }))).toBeNull()
  expect(reasonKey(withdrawal('rejected'))).toBeNull()
})
