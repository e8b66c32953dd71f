import { minLength, refine, string } from 'zod/mini'
import { CODE_LENGTH } from '@/ui/form/code-digits'

/** The six digits of a payment password that exists. */
export const paymentDigits = string().check(minLength(CODE_LENGTH, 'field.payment_digits'))

/** Those of a new one, by the server's rules. */
export const newPaymentDigits = string().check(
  minLength(CODE_LENGTH, { error: 'field.payment_digits', abort: true }),
  refine((digits) => !isRun(digits), { error: 'field.payment_simple', abort: true }),
)

function isRun(digits: string): boolean {
  const steps = Array.from(
    digits.slice(1),
    (digit, at) => (Number(digit) - Number(digits[at]) + 10) % 10,
  )
  const [first] = steps
  return steps.every((step) => step === first) && (first === 0 || first === 1 || first === 9)
}
