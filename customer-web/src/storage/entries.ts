import {
  array,
  boolean,
  config,
  custom,
  minLength,
  number,
  object,
  enum as oneOf,
  optional,
  catch as orElse,
  type output,
  pipe,
  record,
  string,
  transform,
  type ZodMiniType,
} from 'zod/mini'
import type { AUTH_STATUS } from '@/constants'
import { isZone, type Zone } from './zone'

// The content security policy allows no code made of text, which zod would try for speed.
config({ jitless: true })

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

export type AuthStatus = (typeof AUTH_STATUS)[keyof typeof AUTH_STATUS]

export const displayCurrencies = ['USD', 'BTC', 'ETH'] as const
export type DisplayCurrency = (typeof displayCurrencies)[number]

/** What a stop loss or take profit is typed in: `distance` is pips, or what else the product counts in. */
export const protectionUnits = ['price', 'distance', 'percent', 'amount'] as const
export type ProtectionUnit = (typeof protectionUnits)[number]

/** How a press on the ticket leads to an order: at once, after choosing a side, or after a review of it. */
export const orderEntries = ['one-click', 'two-step', 'review'] as const
export type OrderEntry = (typeof orderEntries)[number]

/** The server's candle periods, in the order of the buttons. */
export const chartPeriods = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w'] as const
export type ChartPeriod = (typeof chartPeriods)[number]
export const DEFAULT_CHART_PERIOD: ChartPeriod = '15m'

const themeMode = oneOf(['light', 'dark', 'system'])
export type ThemeMode = output<typeof themeMode>

/** The colours of rising and falling prices. */
const direction = oneOf(['green-up', 'red-up', 'red-up-blue-down', 'blue-orange'])
export type PriceDirection = output<typeof direction>

/** The user data stored in the browser: never the full name or the e-mail address. */
const userInfo = object({
  userId: string().check(minLength(1)),
  /** Masked, see maskName. */
  userName: orElse(string(), ''),
  /** Account type: 1, 2, 4 real; 5, 8 mock. */
  type: number(),
  authStatus: orElse(number(), -1),
  /** The account in use. */
  accountId: part(number()),
})
export type StoredUser = output<typeof userInfo>

/** The last known balance, only shown until the first answer. Decimal strings in USDT. */
const balance = object({ balance: string(), zengjin: string() })
export type StoredBalance = output<typeof balance>

const preferences = object({
  /** Absent until the trader has chosen colours or a language. */
  direction: part(direction),
  hourCycle: part(oneOf(['12', '24'])),
  timeZone: part(custom<Zone>(isZone)),
  reduceMotion: part(boolean()),
  /** The currency of the wallet's total besides USDT. */
  displayCurrency: part(oneOf(displayCurrencies)),
  /** Whether the wallet hides small balances. */
  hideSmall: part(boolean()),
  orderSounds: part(boolean()),
  protectionUnit: part(oneOf(protectionUnits)),
  /** Whether tables on a desktop have rows of 28 instead of 32 px. */
  compactRows: part(boolean()),
  /** Absent until the trader has chosen one. */
  orderEntry: part(oneOf(orderEntries)),
  /** Whether single keys act on the terminal. */
  shortcuts: part(boolean()),
  chartPeriod: part(oneOf(chartPeriods)),
  /** Whether the chart shows moving averages. */
  chartAverages: part(boolean()),
})

/** A preference by the name that the server knows it by. */
export type PreferenceName = keyof output<typeof preferences> | 'theme' | 'language' | 'defaultLots'

/** When a preference was changed, ms, and which registered trader did. The time is the server's once it has stored the change. */
const preferenceChange = object({ at: number(), owner: part(string()), stored: part(boolean()) })
export type PreferenceChange = output<typeof preferenceChange>

const preferenceChanges = object({
  /** The id of the trader who uses the settings of this device on this device only. */
  deviceOnly: part(string()),
  fields: recordOf(preferenceChange),
})

/** Which columns of a table the trader switched on or off, by key; the width decides about the others. */
const columns = recordOf(boolean())
export type StoredColumns = output<typeof columns>

/** Sizes of the terminal's panels in pixels, where the trader changed them. */
const panels = object({ list: part(number()), ticket: part(number()), bottom: part(number()) })
export type StoredPanels = output<typeof panels>

const text = string().check(minLength(1))
const anyJson = custom<Json>()

/** Everything the app stores in the browser. */
const entries = {
  token: text,
  /** When the token was written, ms. */
  tokenAt: text,
  userInfo: json(userInfo),
  /** The code of the chosen language, from the table of languages. */
  locale: text,
  appConfig: json(recordOf(string())),
  /** Product ids. */
  favourites: json(listOf(string())),
  /** The id of the trader who removed the last favourite, so that none are suggested again. */
  emptiedFavourites: text,
  /** The id of the trader who has done the first steps. */
  firstSteps: text,
  searchRecords: json(listOf(string())),
  /** Product ids. */
  hotList: json(listOf(string())),
  /** Product ids. */
  selfList: json(listOf(string())),
  banners: json(listOf(anyJson)),
  currentProduct: text,
  themeMode,
  guestId: text,
  balance: json(balance),
  preferences: json(preferences),
  /** By preference. */
  preferenceChanges: json(preferenceChanges),
  /** Unsent support messages, by user. */
  kefuOutbox: json(recordOf(anyJson)),
  /** By table. */
  tableColumns: json(recordOf(columns)),
  panels: json(panels),
  /** The volume of a new order, by product id. */
  defaultLots: json(recordOf(string())),
}

export type StorageKey = keyof typeof entries
export type StorageEntries = { [Key in StorageKey]: output<(typeof entries)[Key]> }

/** Parses an entry; null for anything the app did not write. */
export function readEntry<Key extends StorageKey>(key: Key, stored: string) {
  try {
    return entries[key].parse(stored) as StorageEntries[Key]
  } catch {
    return null
  }
}

/** Entries stored as plain text; all others are stored as JSON. */
export function toStoredText(value: StorageEntries[StorageKey]): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function json<T>(schema: ZodMiniType<T>) {
  return pipe(
    transform((stored: string): unknown => JSON.parse(stored)),
    schema,
  )
}

/** A part that is left out if it doesn't fit. */
function part<T>(schema: ZodMiniType<T>) {
  return orElse(optional(schema), undefined)
}

function listOf<T>(schema: ZodMiniType<T>) {
  return pipe(
    array(part(schema)),
    transform((list) => list.filter((item) => item !== undefined)),
  )
}

function recordOf<T>(schema: ZodMiniType<T>) {
  return pipe(
    record(string(), part(schema)),
    transform((parts) => {
      const fitting = Object.entries(parts).filter(([, value]) => value !== undefined)
      return Object.fromEntries(fitting) as Record<string, T>
    }),
  )
}
