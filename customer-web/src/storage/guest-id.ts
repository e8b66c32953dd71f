import { storage } from './storage'

/** The anonymous visitor's id: created here once, 128 random bits in hex, stored in the browser. */
export function guestId(): string {
  const known = storage.read('guestId')
  if (known && /^[0-9a-f]{32}$/.test(known)) return known
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  storage.write('guestId', made)
  return made
}
