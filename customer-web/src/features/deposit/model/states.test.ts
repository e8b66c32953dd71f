import { describe, expect, test } from 'vitest'
import type { Deposit, DepositState } from '../api/deposits'
import { appearanceOf, awaitsStaff, awaitsTrader, isUnderWay, reasonKey } from './states'
import { timelineOf } from './timeline'

const states: DepositState[] = [
  'awaiting_transfer',
  'proof_submitted',
  'in_review',
  'more_info',
  'approved',
  'credited',
  'rejected',
  'expired',
  'cancelled',
  'charged_back',
]
const ofCoins: DepositState[] = [
  'detected',
  'aml_hold',
  'below_min',
  'wrong_asset',
  'dropped',
  'refunding',
  'refunded',
  'reversed',
  'credited',
]

function deposit(state: DepositState, more: Partial<Deposit> = {}): Deposit {
  return {
    rechargeId: 50001,
    rechargeNo: 'DP-50001',
    feeRate: '0',
    kind: 'bank',
    channelId: 1,
    currency: 'USD',
    amount: '500',
    reference: 'CD-AAAA-BBBB',
    state,
    cancellable: false,
    createdAt: 1,
    expiresAt: 9,
    ...more,
  }
}

const phases = (one: Deposit) => timelineOf(one).map(({ phase }) => phase)

describe('coins', () => {
  test.each(ofCoins)('%s has a look, and a timeline that begins on the chain', (state) => {
    expect(appearanceOf(state).icon).toBeTruthy()
    expect(timelineOf(deposit(state, { kind: 'standard' }))[0]).toEqual({
      text: 'deposit.timeline.seen',
      phase: 'done',
      at: 1,
    })
  })

  test('are under way until they are credited, sent back or dropped', () => {
    const held = ['aml_hold', 'below_min', 'wrong_asset', 'refunding']
    expect(ofCoins.filter(awaitsStaff)).toEqual(held)
    expect(ofCoins.filter(isUnderWay)).toEqual(['detected', ...held])
    expect(phases(deposit('below_min', { kind: 'standard' }))).toEqual(['done', 'now', 'todo'])
    expect(phases(deposit('refunding', { kind: 'standard' }))).toEqual(['done', 'now', 'todo'])
    expect(phases(deposit('refunded', { kind: 'standard' }))).toEqual(['done', 'ended'])
    expect(phases(deposit('dropped', { kind: 'standard' }))).toEqual(['done', 'ended'])
    expect(phases(deposit('credited', { kind: 'standard' }))).toEqual(['done', 'done'])
  })
})

describe('every state', () => {
  test('waits for the trader, for the desk, or for nobody', () => {
    expect(states.filter(awaitsTrader)).toEqual(['awaiting_transfer', 'more_info'])
    expect(states.filter(awaitsStaff)).toEqual(['proof_submitted', 'in_review', 'approved'])
    expect(states.filter((state) => !isUnderWay(state))).toEqual([
      'credited',
      'rejected',
      'expired',
      'cancelled',
      'charged_back',
    ])
  })

  test.each(states)('%s has a look and a timeline that begins with the announcement', (state) => {
    expect(appearanceOf(state).icon).toBeTruthy()
    expect(timelineOf(deposit(state))[0]).toEqual({
      text: 'deposit.timeline.announced',
      phase: 'done',
      at: 1,
    })
  })
})

describe('the timeline', () => {
  test('goes on point by point', () => {
    expect(phases(deposit('awaiting_transfer'))).toEqual(['done', 'now', 'todo', 'todo'])
    expect(phases(deposit('in_review', { proofAt: 2 }))).toEqual(['done', 'done', 'now', 'todo'])
    expect(phases(deposit('in_review'))).toEqual(['done', 'now', 'todo'])
    expect(phases(deposit('credited', { proofAt: 2, decidedAt: 3 }))).toEqual(Array(4).fill('done'))
  })

  test('has a point more while a second person must agree', () => {
    expect(timelineOf(deposit('approved', { proofAt: 2 }))[3]).toEqual({
      text: 'deposit.timeline.second',
      phase: 'now',
    })
  })

  test('ends where the deposit ended', () => {
    expect(timelineOf(deposit('cancelled', { decidedAt: 4 }))).toHaveLength(2)
    expect(timelineOf(deposit('expired', { decidedAt: 4 })).at(-1)).toEqual({
      text: 'deposit.state.expired.name',
      phase: 'ended',
      at: 4,
    })
    expect(timelineOf(deposit('rejected', { proofAt: 2, decidedAt: 4 }))).toHaveLength(3)
  })
})

test('a reason this version does not know has a text too', () => {
  expect(reasonKey('duplicate')).toBe('deposit.reason.duplicate')
  expect(reasonKey('something_new')).toBe('deposit.reason.other')
})
