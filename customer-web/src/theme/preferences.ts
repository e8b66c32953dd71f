import { create } from 'zustand'
import type { LanguageCode } from '@/i18n/languages'
import type {
  DisplayCurrency,
  OrderEntry,
  PriceDirection,
  ProtectionUnit,
  ThemeMode,
} from '@/storage/entries'
import { storage } from '@/storage/storage'
import type { Zone } from '@/storage/zone'

export type { OrderEntry, PriceDirection, ProtectionUnit, ThemeMode } from '@/storage/entries'
export { orderEntries, protectionUnits } from '@/storage/entries'

export type Preferences = {
  themeMode: ThemeMode
  /** Null until the trader has chosen colours or a language; then the language's default applies. */
  direction: PriceDirection | null
  hourCycle: '12' | '24'
  timeZone: Zone
  /** The trader's preference; the device's counts too, see useReducedMotion. */
  reduceMotion: boolean
  /** The currency of the wallet's total besides USDT. */
  displayCurrency: DisplayCurrency
  /** Whether the wallet hides small balances. */
  hideSmall: boolean
  /** Whether fills, stops and margin calls make a sound. */
  orderSounds: boolean
  /** The unit in which stop loss and take profit are typed. */
  protectionUnit: ProtectionUnit
  /** Whether tables on a desktop have rows of 28 instead of 32 px. */
  compactRows: boolean
  /** How an order is entered; null until the trader has chosen, then the platform's default applies. */
  orderEntry: OrderEntry | null
  /** Whether single keys act on the terminal. */
  shortcuts: boolean
}

export const priceDirections: readonly PriceDirection[] = [
  'green-up',
  'red-up',
  'red-up-blue-down',
  'blue-orange',
]

/** The usual colours of a market: red is up in East Asia, and blue is down in Korea. */
export function defaultDirection(language: LanguageCode): PriceDirection {
  switch (language) {
    case 'zh_CN':
    case 'zh_tw':
    case 'ja':
      return 'red-up'
    case 'ko':
      return 'red-up-blue-down'
    default:
      return 'green-up'
  }
}

function readPreferences(): Preferences {
  const stored = storage.read('preferences') ?? {}
  return {
    themeMode: storage.read('themeMode') ?? 'system',
    direction: stored.direction ?? null,
    hourCycle: stored.hourCycle ?? '24',
    timeZone: stored.timeZone ?? 'local',
    reduceMotion: stored.reduceMotion ?? false,
    displayCurrency: stored.displayCurrency ?? 'USD',
    hideSmall: stored.hideSmall ?? true,
    orderSounds: stored.orderSounds ?? false,
    protectionUnit: stored.protectionUnit ?? 'price',
    compactRows: stored.compactRows ?? false,
    orderEntry: stored.orderEntry ?? null,
    shortcuts: stored.shortcuts ?? true,
  }
}

/** The trader's preferences on this device: colours, clock, motion. */
export const usePreferences = create<Preferences>(readPreferences)

/** Changes and stores preferences. */
export function setPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change)
  const { themeMode, direction, orderEntry, ...rest } = usePreferences.getState()
  storage.write('themeMode', themeMode)
  storage.write('preferences', {
    ...rest,
    ...(direction ? { direction } : {}),
    ...(orderEntry ? { orderEntry } : {}),
  })
}

/**
 * Fixes the price colours at the first choice of a language. Later only the trader changes them, because colours
 * that swap with the language would be misread.
 */
export function fixDirection(language: LanguageCode): void {
  if (usePreferences.getState().direction === null) {
    setPreferences({ direction: defaultDirection(language) })
  }
}

storage.onChangeElsewhere('themeMode', () => usePreferences.setState(readPreferences()))
storage.onChangeElsewhere('preferences', () => usePreferences.setState(readPreferences()))
