import type { PreferenceChange, PreferenceName } from '@/storage/entries'
import type { AccountPreferences } from '../api/preferences'

export const preferenceNames: readonly PreferenceName[] = [
  'theme',
  'language',
  'direction',
  'hourCycle',
  'timeZone',
  'reduceMotion',
  'displayCurrency',
  'hideSmall',
  'orderSounds',
  'compactRows',
  'shortcuts',
  'chartPeriod',
  'chartAverages',
  'orderEntry',
  'protectionUnit',
  'defaultLots',
]

export type LocalChanges = Partial<Record<string, PreferenceChange>>

export type Merge = {
  /** Those of which the account's value is newer. */
  take: PreferenceName[]
  /** Those of another trader that this account has no value for: they return to the default. */
  reset: PreferenceName[]
  /** Those of which this device's value is newer. */
  send: PreferenceName[]
}

/** A change's time on the server's clock, which is `offset` ahead of this device's. */
export function serverTime({ at, stored }: PreferenceChange, offset: number): number {
  return stored || at === 0 ? at : Math.max(0, at + offset)
}

/** Whether a trader may give a change to the account: it is theirs, or was made without an account. */
function isOwn({ owner }: PreferenceChange, userId: string): boolean {
  return owner === undefined || owner === userId
}

/**
 * Compares this device with the account, field by field: the newest change wins. `sent` has the changes that the
 * account has just decided about; what was changed again meanwhile is compared as usual.
 */
export function merge(
  local: LocalChanges,
  account: AccountPreferences,
  userId: string,
  offset: number,
  sent: LocalChanges = {},
): Merge {
  const result: Merge = { take: [], reset: [], send: [] }
  for (const name of preferenceNames) {
    const [mine, theirs] = [local[name], account[name]]
    if (!mine) {
      if (theirs) result.take.push(name)
    } else if (!isOwn(mine, userId)) {
      result[theirs ? 'take' : 'reset'].push(name)
    } else {
      const decided = sent[name] !== undefined && sent[name].at === mine.at
      const newer = theirs && theirs.changedAt >= serverTime(mine, offset)
      result[theirs && (decided || newer) ? 'take' : 'send'].push(name)
    }
  }
  return result
}
