import { expect, test } from 'vitest'
import { draftOf, dropDraft, keepDraft } from './draft'

test('a draft is its trader’s alone, until it is asked for', () => {
  keepDraft('7', { kind: 'daifu' })
  keepDraft('7', { amount: '100' })
  expect(draftOf('7')).toEqual({ kind: 'daifu', amount: '100' })
  expect(draftOf('8')).toEqual({})
  keepDraft('8', { amount: '5' })
  expect(draftOf('7')).toEqual({})
  dropDraft()
  expect(draftOf('8')).toEqual({})
})
