/** Isolates a number inside a sentence, so that it reads left to right in every language. */
export function bidiIsolate(number: string): string {
  return `\u2066${number}\u2069`
}
