import { expect, test } from 'vitest'
import type { Channel } from '../api/channels'
import { kindsOf, selectChannel } from './channels'

const channel = (channelId: number, kind: Channel['kind'], closed = false) =>
  ({ channelId, kind, closed }) as Channel

const all = [
  channel(1, 'bank', true),
  channel(2, 'otc'),
  channel(3, 'standard', true),
  channel(4, 'standard'),
  channel(5, 'standard'),
]

test('each kind stands once', () => {
  expect(kindsOf(all)).toEqual(['bank', 'otc', 'standard'])
})

test('what is open stands first; what was chosen stands while it is open', () => {
  const of = (wanted: Parameters<typeof selectChannel>[1]) => {
    const selection = selectChannel(all, wanted)
    return [selection?.kind, selection?.channel?.channelId]
  }
  expect(of({})).toEqual(['otc', 2])
  expect(of({ kind: 'standard' })).toEqual(['standard', 4])
  expect(of({ kind: 'standard', channelId: 5 })).toEqual(['standard', 5])
  expect(of({ kind: 'standard', channelId: 3 })).toEqual(['standard', 4])
  expect(of({ kind: 'bank' })).toEqual(['bank', undefined])
})

test('nothing stands where nothing is open', () => {
  expect(selectChannel([channel(1, 'bank', true)], {})).toBeNull()
  expect(selectChannel([], {})).toBeNull()
})
