import { describe, expect, test } from 'vitest'
import { identity } from '../testing/identity-sample'
import { firstIncompleteStep, hasPicture, stepAt, stepBefore, stepsOf } from './steps'

const data = {
  fullName: 'Ada Lovelace',
  number: 'X1234567',
  birthDate: '1990-05-17',
  expiryDate: '2031-08-31',
}
const front = { side: 'front', present: true, replaceable: true } as const
const selfie = { side: 'selfie', present: false, replaceable: true } as const
const passport = { state: 'draft', country: 'CH', documentType: 'passport' } as const

describe('a draft', () => {
  test('goes through everything, and has a back only where the document has one', () => {
    expect(stepsOf(identity({}))).toEqual(['country', 'type', 'data', 'front', 'selfie', 'review'])
    const sides = ['front', 'back', 'selfie'] as const
    const images = sides.map((side) => ({ side, present: false, replaceable: true }))
    expect(stepsOf(identity({ state: 'draft', documentType: 'id_card', images }))).toEqual([
      'country',
      'type',
      'data',
      ...sides,
      'review',
    ])
  })

  test('goes on where it was', () => {
    expect(firstIncompleteStep(identity({}))).toBe('country')
    expect(firstIncompleteStep(identity({ state: 'draft', country: 'CH' }))).toBe('type')
    const begun = identity({ ...passport, images: [front, selfie] })
    expect(firstIncompleteStep(begun)).toBe('data')
    expect(firstIncompleteStep({ ...begun, ...data })).toBe('selfie')
    const full = { ...begun, ...data, images: [front, { ...selfie, present: true }] }
    expect(firstIncompleteStep(full)).toBe('review')
  })

  test('may be looked at backwards, not forwards', () => {
    const begun = identity({ ...passport, images: [front, selfie] })
    expect(stepAt(begun, 'type')).toBe('type')
    expect(stepAt(begun, 'selfie')).toBe('data')
    expect(stepAt(begun, 'nonsense')).toBe('data')
    expect(stepBefore(begun, 'data')).toBe('type')
    expect(stepBefore(begun, 'country')).toBeUndefined()
  })
})

test('a renewal begins anew, whatever the one before holds', () => {
  const before = identity({ ...passport, ...data, state: 'expiring', images: [front] })
  expect(firstIncompleteStep(before)).toBe('country')
  expect(hasPicture(before, 'front')).toBe(false)
})

describe('what was asked for again', () => {
  const asked = identity({
    ...passport,
    ...data,
    state: 'resubmission_required',
    images: [{ ...front, replaceable: false }, selfie],
    asked: [
      { part: 'data', reason: 'data_differs' },
      { part: 'selfie', reason: 'face_hidden' },
    ],
    mayChangeData: true,
  })

  test('is all there is to go through', () => {
    expect(stepsOf(asked)).toEqual(['data', 'selfie', 'review'])
    expect(firstIncompleteStep(asked)).toBe('data')
    expect(stepsOf({ ...asked, mayChangeData: false })).toEqual(['selfie', 'review'])
  })

  test('can be fixed in any order, and is reviewed last', () => {
    expect(stepAt(asked, 'selfie')).toBe('selfie')
    expect(stepAt(asked, 'front')).toBe('data')
    expect(stepAt(asked, 'review')).toBe('data')
    expect(stepAt({ ...asked, asked: [], images: [front] }, 'review')).toBe('review')
  })
})
