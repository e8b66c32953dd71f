const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const POP_ISOLATE = '\u2069'

/** A number, code or reference inside a sentence: it stays left to right and does not stir the words around it. */
export function isolate(text: string): string {
  return LEFT_TO_RIGHT_ISOLATE + text + POP_ISOLATE
}
