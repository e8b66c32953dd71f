const FORM = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** A number as machines write it: without spaces, in upper case. */
export function compact(number: string): string {
  return number.replace(/\s/gu, '').toUpperCase()
}

/** As it is read: in groups of four. */
export function groupByFour(number: string): string {
  return compact(number).replace(/(.{4})(?=.)/g, '$1 ')
}

/** Whether an IBAN's check digits fit it (ISO 7064): a slip of a finger shows before anything is sent. */
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

/** Whether a BIC has the form of one. */
export function isBic(text: string): boolean {
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(compact(text))
}
