const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/**
 * Isolates a number, code or reference inside a sentence: it stays left to right and does not reorder the text
 * around it.
 */
export function bidiIsolate(text: string): string {
  return LEFT_TO_RIGHT_ISOLATE + text + POP_ISOLATE
}

/** Isolates text in the trader's language inside a sentence, such as a date: it keeps its own direction. */
export function bidiIsolateAuto(text: string): string {
  return FIRST_STRONG_ISOLATE + text + POP_ISOLATE
}
