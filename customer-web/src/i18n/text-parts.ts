/**
 * The parts a locale file is loaded in, in this order: `first` is all the first screen says, `trade` what
 * trading adds to it, `waiting` what acting on positions, orders that wait, the outlook of the margin and the fills
 * add to that, `rest` everything else. scripts/split-texts.ts says which text is where.
 */
export const textParts = ['first', 'trade', 'waiting', 'rest'] as const

export type TextPart = (typeof textParts)[number]
