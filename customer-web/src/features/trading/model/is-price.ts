/** Reports whether a typed price or distance is above 0. */
export function isPrice(text: string): boolean {
  return /[1-9]/.test(text)
}
