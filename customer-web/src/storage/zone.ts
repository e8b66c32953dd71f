/** A time zone: the device's, UTC, or an IANA name such as Asia/Shanghai. */
export type Zone = 'local' | 'utc' | `${string}/${string}`

/** Reports whether a stored value is a zone that this browser knows. */
export function isZone(value: unknown): value is Zone {
  if (value === 'local' || value === 'utc') return true
  if (typeof value !== 'string' || !value.includes('/')) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value })
    return true
  } catch {
    return false
  }
}
