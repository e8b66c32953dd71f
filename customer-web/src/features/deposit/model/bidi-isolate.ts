const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** A number, code or reference inside a sentence: it stays left to right and does not stir the words around it. */
export function bidiIsolate(text: string): string {
  return LEFT_TO_RIGHT_ISOLATE + text + POP_ISOLATE
}

/** Words of the trader's language inside a sentence, such as a date: they read in their own direction. */
export function bidiIsolateAuto(text: string): string {
  return FIRST_STRONG_ISOLATE + text + POP_ISOLATE
}
