import { CODE_LENGTH } from '@/ui/form/code-digits'

/** The key of the problem with a payment password, by the server's rules. */
export function digitsProblem(digits: string): string | undefined {
  if (digits.length !== CODE_LENGTH) return 'field.payment_digits'
  const steps = Array.from(
    digits.slice(1),
    (digit, at) => (Number(digit) - Number(digits[at]) + 10) % 10,
  )
  const [first] = steps
  const run = steps.every((step) => step === first) && (first === 0 || first === 1 || first === 9)
  return run ? 'field.payment_simple' : undefined
}
