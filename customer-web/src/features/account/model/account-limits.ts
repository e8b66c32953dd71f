import type { TFunction } from 'i18next'

/** The most trading accounts of a trader, real and demo together. */
export const MOST_ACCOUNTS = 10

/** The longest name of an account. */
export const LONGEST_NAME = 30

/** The leverage ceilings to choose from; 0 is none. */
const CEILINGS = [0, 10, 20, 50, 100, 200]

/** The ceilings to choose from, the present one among them. */
export function ceilingsWith(present: number): number[] {
  return [...new Set([...CEILINGS, present])].sort((a, b) => a - b)
}

/** A leverage ceiling in words. */
export function ceilingText(t: TFunction, ceiling: number): string {
  return ceiling === 0
    ? t('switch_account.ceiling.none')
    : t('switch_account.ceiling.up_to', { leverage: `1:${ceiling}` })
}
