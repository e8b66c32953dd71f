import { describe, expect, test } from 'vitest'
import {
  CLOSE_REASONS,
  END_REASONS,
  OPENINGS,
  ORDER_TYPES,
  RULES,
  readFilter,
  readList,
  toFillQuery,
  toHistoryQuery,
  toOrderQuery,
  withFilter,
  withFrom,
  withTo,
  writeFilter,
} from './history-filter'

const today = '2026-11-21'
const read = (query: string) => readFilter(new URLSearchParams(query), today)

describe('an address', () => {
  test('without a wish shows thirty days, today among them', () => {
    expect(read('')).toEqual({ from: '2026-10-23', to: today })
  })

  test('names product, side, what opened and ended a position, and days', () => {
    expect(
      read('product=101&side=sell&opened=limit&closed=sl&from=2026-11-01&to=2026-11-10'),
    ).toEqual({
      productId: 101,
      side: 'sell',
      openedBy: 'limit',
      closeReason: 'sl',
      from: '2026-11-01',
      to: '2026-11-10',
    })
  })

  test('never asks for more than ninety days, nor for the future', () => {
    expect(read('from=2020-01-01')).toEqual({ from: '2026-08-24', to: today })
    expect(read('to=2027-01-01').to).toBe(today)
    expect(read('from=2026-11-10&to=2026-11-01').from).toBe('2026-11-01')
  })

  test('with nonsense is taken as without it', () => {
    const nonsense = 'product=x&side=up&opened=sl&closed=limit&from=2026-02-31&to=soon'
    expect(read(`${nonsense}&type=market&reason=filled`)).toEqual(read(''))
  })

  test('leaves out what is usual', () => {
    expect(writeFilter(read(''), today).toString()).toBe('')
    const address = 'product=1&side=buy&opened=stop&closed=stop_out&from=2026-11-01'
    const filter = read(address)
    expect(writeFilter(filter, today).toString()).toBe(address)
    expect(readFilter(writeFilter(filter, today), today)).toEqual(filter)
  })
})

test('each wish is kept by the address, and can be taken back', () => {
  const none = read('')
  for (const openedBy of OPENINGS) {
    const filter = withFilter(none, 'openedBy', openedBy)
    expect(readFilter(writeFilter(filter, today), today)).toEqual({ ...none, openedBy })
    expect(withFilter(filter, 'openedBy', undefined)).toEqual(none)
  }
  for (const closeReason of CLOSE_REASONS) {
    const filter = withFilter(none, 'closeReason', closeReason)
    expect(readFilter(writeFilter(filter, today), today)).toEqual({ ...none, closeReason })
    expect(withFilter(filter, 'closeReason', undefined)).toEqual(none)
  }
})

test('fills have a rule, and are asked for without what only positions have', () => {
  for (const rule of RULES) {
    expect(readFilter(writeFilter({ ...read(''), rule }, today), today).rule).toBe(rule)
  }
  const filter = read('product=1&side=buy&opened=stop&closed=sl&rule=tp')
  expect(toFillQuery(filter, 'utc')).toEqual({
    productId: 1,
    side: 'buy',
    rule: 'tp',
    startTime: Date.UTC(2026, 9, 23),
    endTime: Date.UTC(2026, 10, 22),
  })
  expect(toHistoryQuery(filter, 'utc')).not.toHaveProperty('rule')
  expect(readList(new URLSearchParams('list=fills'))).toBe('fills')
  expect(readList(new URLSearchParams('list=all'))).toBe('positions')
})

test('orders have a type and a reason of their end, and are asked for without what only the others have', () => {
  const none = read('')
  for (const type of ORDER_TYPES) {
    const filter = withFilter(none, 'type', type)
    expect(readFilter(writeFilter(filter, today), today)).toEqual({ ...none, type })
    expect(withFilter(filter, 'type', undefined)).toEqual(none)
  }
  for (const reason of END_REASONS) {
    const filter = withFilter(none, 'reason', reason)
    expect(readFilter(writeFilter(filter, today), today)).toEqual({ ...none, reason })
  }
  const filter = read('product=1&side=buy&opened=stop&closed=sl&rule=tp&type=stop&reason=oco')
  const days = { startTime: Date.UTC(2026, 9, 23), endTime: Date.UTC(2026, 10, 22) }
  expect(toOrderQuery(filter, 'utc')).toEqual({
    ...{ productId: 1, side: 'buy', type: 'stop', reason: 'oco', status: 'unfilled' },
    ...days,
  })
  expect(toOrderQuery(none, 'utc')).toEqual({ status: 'unfilled', ...days })
  for (const query of [toHistoryQuery(filter, 'utc'), toFillQuery(filter, 'utc')]) {
    expect(query).not.toHaveProperty('type')
    expect(query).not.toHaveProperty('reason')
    expect(query).not.toHaveProperty('status')
  }
})

test('the other end of the days follows when they become too many', () => {
  const filter = read('')
  expect(withFrom(filter, '2026-01-01', today)).toEqual({ from: '2026-01-01', to: '2026-03-31' })
  expect(withFrom(filter, today, today)).toEqual({ from: today, to: today })
  expect(withTo(filter, '2026-10-01')).toEqual({ from: '2026-10-01', to: '2026-10-01' })
  expect(withTo({ from: '2026-01-01', to: '2026-02-01' }, today).from).toBe('2026-08-24')
})

test('the last day is asked for to its end, in the trader’s zone', () => {
  const query = toHistoryQuery({ from: '2026-11-20', to: today, closeReason: 'tp' }, 'utc')
  expect(query).toEqual({
    closeReason: 'tp',
    startTime: Date.UTC(2026, 10, 20),
    endTime: Date.UTC(2026, 10, 22),
  })
})
