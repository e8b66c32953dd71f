import { describe, expect, test } from 'vitest'
import { changeOutbox, newMessageId, readOutbox, type Unsent, withoutSent } from './outbox'

const unsent = (id: string): Unsent => ({ id, at: 1, text: `words of ${id}` })
const add = (id: string) => (list: Unsent[]) => [...list, unsent(id)]

describe('the outbox', () => {
  test('keeps what is not sent, in order, for each person', () => {
    changeOutbox('7', add('a'))
    changeOutbox('7', add('b'))
    changeOutbox('visitor', add('c'))
    expect(readOutbox('7').map(({ id }) => id)).toEqual(['a', 'b'])
    expect(readOutbox('visitor')).toEqual([unsent('c')])
    expect(readOutbox('8')).toEqual([])
  })

  test('applies a change to what another tab has kept meanwhile', () => {
    changeOutbox('7', add('a'))
    localStorage.setItem('kefuOutbox', JSON.stringify({ 7: [unsent('a'), unsent('b')] }))
    changeOutbox('7', (list) => list.filter(({ id }) => id !== 'a'))
    expect(readOutbox('7')).toEqual([unsent('b')])
  })

  test('leaves nothing behind', () => {
    changeOutbox('7', add('a'))
    changeOutbox('7', () => [])
    expect(localStorage.getItem('kefuOutbox')).toBeNull()
  })

  test.each(['[]', '{broken', '{"7":3}', '{"7":[{"id":3},null,"x",{"id":"a"}]}'])(
    'survives %s',
    (text) => {
      localStorage.setItem('kefuOutbox', text)
      expect(readOutbox('7')).toEqual([])
    },
  )
})

test('what has come back as a message is no longer shown as unsent', () => {
  const list = [unsent('a'), unsent('b')]
  expect(withoutSent(list, [{ clientId: 'a' }])).toEqual([unsent('b')])
  expect(withoutSent(list, [])).toEqual(list)
})

test('ids of messages are random UUIDs as the server writes them', () => {
  const ids = [newMessageId(), newMessageId()]
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ids[0]).not.toBe(ids[1])
})
