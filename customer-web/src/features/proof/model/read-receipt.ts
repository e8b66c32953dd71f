import {
  type AnyReceipt,
  type ChargeReceipt,
  isSealed,
  type Receipt,
} from '@/features/receipt/model/evidence'

/** Maximum size of a file, in bytes. */
export const MAX_FILE = 20_000_000

/** Parses a receipt file; null if it is not a receipt, or if it was not sealed yet. */
export function readReceipt(text: string): AnyReceipt | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  return (isReceipt(value) || isChargeReceipt(value)) && isSealed(value) ? value : null
}

/** Reports whether a value has the shape of a receipt, as far as the checks need it. */
function isReceipt(value: unknown): value is Receipt {
  if (!isObject(value)) return false
  const { format, publicKey, fill, earlier, byFill, quote, held } = value
  return (
    format === 'candor-receipt/1' &&
    typeof publicKey === 'string' &&
    isFill(fill) &&
    Array.isArray(earlier) &&
    earlier.every(isFill) &&
    (byFill === undefined || isFill(byFill)) &&
    isObject(quote) &&
    (held === undefined || (Array.isArray(held) && held.every(isObject)))
  )
}

/** The same check for a swap or dividend receipt. */
function isChargeReceipt(value: unknown): value is ChargeReceipt {
  if (!isObject(value)) return false
  const { format, publicKey, charge, fills } = value
  return (
    format === 'candor-charge-receipt/1' &&
    typeof publicKey === 'string' &&
    isObject(charge) &&
    isObject(charge.product) &&
    Array.isArray(fills) &&
    fills.every(isFill)
  )
}

function isFill(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.product)) return false
  return value.standing === undefined || isStopOutSnapshot(value.standing)
}

function isStopOutSnapshot(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.call) || !Array.isArray(value.positions)) return false
  return value.positions.every((one) => isObject(one) && isObject(one.product))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
