/**
 * The parts of a locale file in loading order: `first` is everything on the first screen, `trade` adds trading,
 * `waiting` adds actions on positions, pending orders, margin outlook and fills, `rest` is everything else.
 * scripts/split-texts.ts assigns the texts.
 */
export const textParts = ['first', 'trade', 'waiting', 'rest'] as const

export type TextPart = (typeof textParts)[number]
