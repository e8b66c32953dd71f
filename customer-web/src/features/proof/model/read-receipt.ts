import { isSealed, type Receipt } from '@/features/receipt/model/evidence'

/** The largest file that is read, in bytes. */
export const MAX_FILE = 20_000_000

/** A receipt out of a file's text; null when it is none, or one of a deal that was not sealed yet. */
export function readReceipt(text: string): Receipt | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  return isReceipt(value) && isSealed(value) ? value : null
}

/** Whether a value has the shape of a receipt, as far as the checks need it to find what does not fit. */
function isReceipt(value: unknown): value is Receipt {
  if (!isObject(value)) return false
  const { format, publicKey, fill, earlier, byFill, quote } = value
  return (
    format === 'candor-receipt/1' &&
    typeof publicKey === 'string' &&
    isFill(fill) &&
    Array.isArray(earlier) &&
    earlier.every(isFill) &&
    (byFill === undefined || isFill(byFill)) &&
    isObject(quote)
  )
}

function isFill(value: unknown): boolean {
  return isObject(value) && isObject(value.product)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
