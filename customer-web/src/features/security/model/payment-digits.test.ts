import { expect, test } from 'vitest'
import { newPaymentDigits } from './payment-digits'

function problemOf(digits: string): string | undefined {
  return newPaymentDigits.safeParse(digits).error?.issues[0]?.message
}

test.each(['482915', '112233', '123455', '000001', '135790'])('%s will do', (digits) => {
  expect(problemOf(digits)).toBeUndefined()
})

test.each(['000000', '999999', '123456', '567890', '890123', '654321', '210987'])(
  '%s is too easy to guess',
  (digits) => {
    expect(problemOf(digits)).toBe('field.payment_simple')
  },
)

test.each(['', '48291'])('%j is not complete', (digits) => {
  expect(problemOf(digits)).toBe('field.payment_digits')
})
