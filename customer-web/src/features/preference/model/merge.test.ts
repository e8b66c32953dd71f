import { describe, expect, test } from 'vitest'
import { merge, serverTime } from './merge'

const account = (changedAt: number) => ({ theme: { value: 'dark', changedAt } })
const nothing = { take: [], reset: [], send: [] }

describe('the newest change of a field wins', () => {
  test('the account’s when it is newer, or of the same moment', () => {
    expect(merge({ theme: { at: 5 } }, account(6), '7', 0)).toEqual({ ...nothing, take: ['theme'] })
    expect(merge({ theme: { at: 6 } }, account(6), '7', 0)).toEqual({ ...nothing, take: ['theme'] })
  })

  test('this device’s when it is newer, or the account has none', () => {
    expect(merge({ theme: { at: 7 } }, account(6), '7', 0)).toEqual({ ...nothing, send: ['theme'] })
    expect(merge({ theme: { at: 7 } }, {}, '7', 0)).toEqual({ ...nothing, send: ['theme'] })
  })

  test('the account’s when nothing was changed here', () => {
    expect(merge({}, account(1), '7', 0)).toEqual({ ...nothing, take: ['theme'] })
    expect(merge({}, {}, '7', 0)).toEqual(nothing)
  })

  test('each for itself', () => {
    const local = { theme: { at: 9 }, hourCycle: { at: 2 } }
    const both = { ...account(6), hourCycle: { value: '12', changedAt: 6 } }
    expect(merge(local, both, '7', 0)).toEqual({ take: ['hourCycle'], reset: [], send: ['theme'] })
  })

  test('and what an account has of another app is left alone', () => {
    expect(merge({}, { layout: { value: 'wide', changedAt: 6 } }, '7', 0)).toEqual(nothing)
  })
})

describe('the clock of the server decides', () => {
  test('about a change here, however wrong this device’s clock is', () => {
    expect(merge({ theme: { at: 1_000 } }, account(6), '7', -998).take).toEqual(['theme'])
    expect(merge({ theme: { at: 1_000 } }, account(6), '7', 0).send).toEqual(['theme'])
    expect(merge({ theme: { at: 1 } }, account(6), '7', 100).send).toEqual(['theme'])
  })

  test('but a stored time is the server’s already, and colours of a language have none', () => {
    expect(serverTime({ at: 5, stored: true }, 100)).toBe(5)
    expect(serverTime({ at: 0 }, 100)).toBe(0)
    expect(serverTime({ at: 5 }, 100)).toBe(105)
    expect(serverTime({ at: 5 }, -100)).toBe(0)
  })
})

describe('the changes of another trader', () => {
  const theirs = { theme: { at: 9_000, owner: '8' } }

  test('never reach this one’s account, whatever their time', () => {
    expect(merge(theirs, account(6), '7', 0)).toEqual({ ...nothing, take: ['theme'] })
    expect(merge(theirs, {}, '7', 0)).toEqual({ ...nothing, reset: ['theme'] })
  })

  test('while the trader’s own and those without an account do', () => {
    expect(merge({ theme: { at: 9, owner: '7' } }, {}, '7', 0).send).toEqual(['theme'])
    expect(merge({ theme: { at: 9 } }, {}, '7', 0).send).toEqual(['theme'])
  })
})

describe('after the account has decided', () => {
  const sent = { theme: { at: 9 } }

  test('its value counts, though its time is earlier than this device’s clock', () => {
    expect(merge(sent, account(6), '7', 0, sent).take).toEqual(['theme'])
  })

  test('but not against a change that was made meanwhile', () => {
    expect(merge({ theme: { at: 10 } }, account(6), '7', 0, sent).send).toEqual(['theme'])
  })
})
