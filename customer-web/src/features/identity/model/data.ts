import { type input, maxLength, minLength, object, refine, regex, string, trim } from 'zod/mini'
import { dayIn } from '@/format/days'
import type { Identity } from '../api/identity'

export const ADULT_YEARS = 18
/** The server's limits. */
export const MAX_NAME_LENGTH = 120
export const MAX_NUMBER_LENGTH = 40
export const FIRST_DAY = '1900-01-01'
export const LAST_DAY = '2200-12-31'
const numberForm = /^[0-9A-Za-z][0-9A-Za-z ./-]{2,38}[0-9A-Za-z]$/

/** The latest allowed date of birth. */
export function lastBirthDay(today: string): string {
  return `${Number(today.slice(0, 4)) - ADULT_YEARS}${today.slice(4)}`
}

const text = string().check(trim(), minLength(1, 'field.required'))
const day = text.check(
  refine((typed) => dayIn(typed) !== null, 'field.date'),
  refine((typed) => typed >= FIRST_DAY && typed <= LAST_DAY, 'field.range'),
)

/** The document data typed by the trader. Dates, and today, look like 1990-05-17. */
export const dataSchema = (today: string) =>
  object({
    fullName: text.check(
      refine((name) => [...name].length > 1, 'field.length'),
      refine((name) => [...name].length <= MAX_NAME_LENGTH, 'field.length'),
    ),
    number: text.check(
      minLength(4, 'field.length'),
      maxLength(MAX_NUMBER_LENGTH, 'field.length'),
      regex(numberForm, 'field.latin'),
    ),
    birthDate: day.check(refine((date) => date <= lastBirthDay(today), 'identity.data.age')),
    expiryDate: day.check(refine((date) => date >= today, 'identity.data.expired')),
  })

export type Data = input<ReturnType<typeof dataSchema>>

export function dataOf({ fullName, number, birthDate, expiryDate }: Identity): Data {
  return {
    fullName: fullName ?? '',
    number: number ?? '',
    birthDate: birthDate ?? '',
    expiryDate: expiryDate ?? '',
  }
}
