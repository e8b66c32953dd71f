import { expect, test } from 'vitest'
import { clearDraft, draftOf, saveDraft } from './draft'

test('a draft is its trader’s alone, until it is asked for', () => {
  saveDraft('7', { kind: 'daifu' })
  saveDraft('7', { amount: '100' })
  expect(draftOf('7')).toEqual({ kind: 'daifu', amount: '100' })
  expect(draftOf('8')).toEqual({})
  saveDraft('8', { amount: '5' })
  expect(draftOf('7')).toEqual({})
  clearDraft()
  expect(draftOf('8')).toEqual({})
})
