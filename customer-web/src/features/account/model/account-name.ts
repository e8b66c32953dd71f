import type { TFunction } from 'i18next'
import { type Account, isMock } from '../api/accounts'

/** What an account is called: the trader's own name, or what it is, with its number after the first. */
export function accountName(
  t: TFunction,
  { name, number, accountType }: Pick<Account, 'name' | 'number' | 'accountType'>,
): string {
  if (name) return name
  const demo = isMock(accountType)
  if (number > 1)
    return t(demo ? 'switch_account.name.demo' : 'switch_account.name.real', { number })
  return t(demo ? 'session.type.demo' : 'session.type.real')
}

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
