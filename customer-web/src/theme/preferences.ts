import { create } from 'zustand'
import type { LanguageCode } from '@/i18n/languages'
import {
  type ChartPeriod,
  DEFAULT_CHART_PERIOD,
  type DisplayCurrency,
  type OrderEntry,
  type PriceDirection,
  type ProtectionUnit,
  type ThemeMode,
} from '@/storage/entries'
import { noteChange } from '@/storage/preference-changes'
import { storage } from '@/storage/storage'
import type { Zone } from '@/storage/zone'

export type {
  OrderEntry,
  PriceDirection,
  ProtectionUnit,
  ThemeMode,
} from '@/storage/entries'
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
  chartPeriod: ChartPeriod
  /** Whether the chart shows moving averages. */
  chartAverages: boolean
}

/** The preferences of a trader who has changed none. */
export const defaultPreferences: Preferences = {
  themeMode: 'system',
  direction: null,
  hourCycle: '24',
  timeZone: 'local',
  reduceMotion: false,
  displayCurrency: 'USD',
  hideSmall: true,
  orderSounds: false,
  protectionUnit: 'price',
  compactRows: false,
  orderEntry: null,
  shortcuts: true,
  chartPeriod: DEFAULT_CHART_PERIOD,
  chartAverages: true,
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
  const stored = Object.entries(storage.read('preferences') ?? {})
  const themeMode = storage.read('themeMode') ?? defaultPreferences.themeMode
  const known = Object.fromEntries(stored.filter(([, value]) => value !== undefined))
  return { ...defaultPreferences, ...known, themeMode }
}

/** The trader's preferences on this device: colours, clock, motion. */
export const usePreferences = create<Preferences>(readPreferences)

/** Stores preferences of this device that the trader did not change now: those of the account, or of the address. */
export function applyPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change)
  const { themeMode, direction, orderEntry, ...rest } = usePreferences.getState()
  storage.write('themeMode', themeMode)
  storage.write('preferences', {
    ...rest,
    ...(direction ? { direction } : {}),
    ...(orderEntry ? { orderEntry } : {}),
  })
}

/** Changes and stores preferences, with the time of the change. */
export function setPreferences(change: Partial<Preferences>): void {
  const before = usePreferences.getState()
  applyPreferences(change)
  for (const key of Object.keys(change) as (keyof Preferences)[]) {
    if (change[key] !== before[key]) noteChange(key === 'themeMode' ? 'theme' : key)
  }
}

/**
 * Fixes the price colours at the first choice of a language. Later only the trader changes them, because colours
 * that swap with the language would be misread. Any colours that a trader has chosen count as newer.
 */
export function fixDirection(language: LanguageCode): void {
  if (usePreferences.getState().direction === null) {
    applyPreferences({ direction: defaultDirection(language) })
    noteChange('direction', 0)
  }
}

storage.onChangeElsewhere('themeMode', () => usePreferences.setState(readPreferences()))
storage.onChangeElsewhere('preferences', () => usePreferences.setState(readPreferences()))
