import { expect, test } from 'vitest'
import { type Data, dataSchema, lastBirthDay } from './data'

const today = '2026-11-21'
const good: Data = {
  fullName: 'Ada Lovelace',
  number: 'X1234567',
  birthDate: '1990-05-17',
  expiryDate: '2031-08-31',
}

/** The first problem of each field. */
function dataProblems(data: Data, day: string): Record<string, string> {
  const issues = dataSchema(day).safeParse(data).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path, message]).reverse())
}

test('data as on the document have no problem', () => {
  expect(dataProblems(good, today)).toEqual({})
  expect(dataProblems({ ...good, fullName: '李雷', expiryDate: today }, today)).toEqual({})
  expect(dataProblems({ ...good, birthDate: '2008-11-21' }, today)).toEqual({})
})

test.each([
  ['fullName', '', 'field.required'],
  ['fullName', ' ', 'field.required'],
  ['fullName', 'A', 'field.length'],
  ['fullName', 'A'.repeat(121), 'field.length'],
  ['number', '123', 'field.length'],
  ['number', 'AB#123', 'field.latin'],
  ['number', '１２３４５', 'field.latin'],
  ['birthDate', '', 'field.required'],
  ['birthDate', '1990-02-31', 'field.date'],
  ['birthDate', '1890-02-03', 'field.range'],
  ['birthDate', '2008-11-22', 'identity.data.age'],
  ['expiryDate', '2026-11-20', 'identity.data.expired'],
])('%s "%s" is %s', (field, text, problem) => {
  expect(dataProblems({ ...good, [field]: text }, today)).toEqual({ [field]: problem })
})

test('somebody born on a leap day is grown up on the day after', () => {
  expect(lastBirthDay('2026-02-28')).toBe('2008-02-28')
  expect(dataProblems({ ...good, birthDate: '2008-02-29' }, '2026-02-28')).not.toEqual({})
  expect(dataProblems({ ...good, birthDate: '2008-02-29' }, '2026-03-01')).toEqual({})
})
