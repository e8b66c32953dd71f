import { dayIn } from '@/format/days'
import type { Identity } from '../api/identity'

/** The document data typed by the trader. Dates look like 1990-05-17. */
export type Data = Record<DataField, string>

export const dataFields = ['fullName', 'number', 'birthDate', 'expiryDate'] as const
export type DataField = (typeof dataFields)[number]

/** Labels of the fields. */
export const dataLabels = {
  fullName: 'identity.data.full_name',
  number: 'identity.data.number',
  birthDate: 'identity.data.birth_date',
  expiryDate: 'identity.data.expiry_date',
} as const satisfies Record<DataField, string>

export const ADULT_YEARS = 18
/** The server's limits. */
export const MAX_NAME_LENGTH = 120
export const MAX_NUMBER_LENGTH = 40
export const FIRST_DAY = '1900-01-01'
export const LAST_DAY = '2200-12-31'
const numberForm = /^[0-9A-Za-z][0-9A-Za-z ./-]{2,38}[0-9A-Za-z]$/

/** Maps a field name to the key of its problem. */
export type DataProblems = Partial<Record<DataField, string>>

export function dataOf({ fullName, number, birthDate, expiryDate }: Identity): Data {
  return {
    fullName: fullName ?? '',
    number: number ?? '',
    birthDate: birthDate ?? '',
    expiryDate: expiryDate ?? '',
  }
}

/** Without surrounding spaces. */
export function trimmed(data: Data): Data {
  return { ...data, fullName: data.fullName.trim(), number: data.number.trim() }
}

/** The latest allowed date of birth. */
export function lastBirthDay(today: string): string {
  return `${Number(today.slice(0, 4)) - ADULT_YEARS}${today.slice(4)}`
}

/** Validates the data; today looks like 2026-11-21. */
export function dataProblems(data: Data, today: string): DataProblems {
  const problems: DataProblems = {}
  for (const field of dataFields) {
    const problem = data[field] === '' ? 'field.required' : problemOf(field, data[field], today)
    if (problem) problems[field] = problem
  }
  return problems
}

function problemOf(field: DataField, text: string, today: string): string | undefined {
  if (field === 'fullName') {
    const { length } = [...text]
    return length < 2 || length > MAX_NAME_LENGTH ? 'field.length' : undefined
  }
  if (field === 'number') {
    if (text.length < 4 || text.length > MAX_NUMBER_LENGTH) return 'field.length'
    return numberForm.test(text) ? undefined : 'field.latin'
  }
  const day = dayIn(text)
  if (!day) return 'field.date'
  if (day < FIRST_DAY || day > LAST_DAY) return 'field.range'
  if (field === 'birthDate') return day > lastBirthDay(today) ? 'identity.data.age' : undefined
  return day < today ? 'identity.data.expired' : undefined
}
