// The trader app knows a browser by a random id that it keeps in it. The sign-in sends the same id,
// so that a trader account that is used in this browser counts as the member's own.

// The key and the form of customer-web/src/storage/guest-id.ts.
const KEY = 'guestId'
const FORM = /^[0-9a-f]{32}$/

/** The id of this browser, made where there is none; empty where the browser keeps nothing. */
export function deviceId(): string {
  try {
    const known = localStorage.getItem(KEY)
    if (known && FORM.test(known)) return known
    const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
    localStorage.setItem(KEY, made)
    return made
  } catch {
    return ''
  }
}

export function tellDevice(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('input[data-device]')
  if (fields.length === 0) return
  const id = deviceId()
  for (const field of fields) field.value = id
}
