const FORM = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** A number as machines write it: upper case without spaces. */
export function compact(number: string): string {
  return number.replace(/\s/gu, '').toUpperCase()
}

/** A number as people read it: in groups of four. */
export function groupByFour(number: string): string {
  return compact(number).replace(/(.{4})(?=.)/g, '$1 ')
}

/** Checks an IBAN's check digits (ISO 7064), which catches typing errors before anything is sent. */
export function isIban(text: string): boolean {
  const iban = compact(text)
  if (!FORM.test(iban)) return false
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97
  }
  return rest === 1
}

/** Reports whether a text has the format of a BIC. */
export function isBic(text: string): boolean {
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(compact(text))
}
