import type { AUTH_STATUS } from '@/constants'
import { isZone, type Zone } from './zone'

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

export type AuthStatus = (typeof AUTH_STATUS)[keyof typeof AUTH_STATUS]

/** The user data stored in the browser: never the full name or the e-mail address. */
export type StoredUser = {
  userId: string
  /** Masked, see maskName. */
  userName: string
  /** Account type: 1, 2, 4 real; 5, 8 mock. */
  type: number
  authStatus: number
}

/** The last known balance, only shown until the first answer. Decimal strings in USDT. */
export type StoredBalance = { balance: string; zengjin: string }

export type ThemeMode = 'light' | 'dark' | 'system'

/** The colours of rising and falling prices. */
export type PriceDirection = 'green-up' | 'red-up' | 'red-up-blue-down' | 'blue-orange'

export const displayCurrencies = ['USD', 'BTC', 'ETH'] as const
export type DisplayCurrency = (typeof displayCurrencies)[number]

/** What a stop loss or take profit is typed in: `distance` is pips, or what else the product counts in. */
export const protectionUnits = ['price', 'distance', 'percent', 'amount'] as const
export type ProtectionUnit = (typeof protectionUnits)[number]

/** How a press on the ticket leads to an order: at once, after choosing a side, or after a review of it. */
export const orderEntries = ['one-click', 'two-step', 'review'] as const
export type OrderEntry = (typeof orderEntries)[number]

export type StoredPreferences = {
  /** Absent until the trader has chosen colours or a language. */
  direction?: PriceDirection
  hourCycle?: '12' | '24'
  timeZone?: Zone
  reduceMotion?: boolean
  /** The currency of the wallet's total besides USDT. */
  displayCurrency?: DisplayCurrency
  /** Whether the wallet hides small balances. */
  hideSmall?: boolean
  orderSounds?: boolean
  protectionUnit?: ProtectionUnit
  /** Whether tables on a desktop have rows of 28 instead of 32 px. */
  compactRows?: boolean
  /** Absent until the trader has chosen one. */
  orderEntry?: OrderEntry
  /** Whether single keys act on the terminal. */
  shortcuts?: boolean
}

/** Which columns of a table the trader switched on or off, by key; the width decides about the others. */
export type StoredColumns = Record<string, boolean>

/** Sizes of the terminal's panels in pixels, where the trader changed them. */
export type StoredPanels = { list?: number; ticket?: number; bottom?: number }

/** Everything the app stores in the browser. Values are JSON, except plain text ones. */
export type StorageEntries = {
  token: string
  userInfo: StoredUser
  /** The code of the chosen language, from the table of languages. */
  locale: string
  appConfig: Record<string, string>
  /** Product ids. */
  favourites: string[]
  /** The id of the trader who removed the last favourite, so that none are suggested again. */
  emptiedFavourites: string
  /** The id of the trader who has done the first steps. */
  firstSteps: string
  searchRecords: string[]
  /** Product ids. */
  hotList: string[]
  /** Product ids. */
  selfList: string[]
  banners: Json[]
  currentProduct: string
  themeMode: ThemeMode
  guestId: string
  balance: StoredBalance
  preferences: StoredPreferences
  /** Unsent support messages, by user. */
  kefuOutbox: Record<string, Json>
  /** By table. */
  tableColumns: Record<string, StoredColumns>
  panels: StoredPanels
  /** The volume of a new order, by product id. */
  defaultLots: Record<string, string>
}

export type StorageKey = keyof StorageEntries

/** Parses an entry; null for anything the app did not write. */
type Reader<T> = (text: string) => T | null

export const readers: { [K in StorageKey]: Reader<StorageEntries[K]> } = {
  token: plainText,
  userInfo: json(toUser),
  locale: plainText,
  appConfig: json(toTextRecord),
  favourites: json(toTextList),
  emptiedFavourites: plainText,
  firstSteps: plainText,
  searchRecords: json(toTextList),
  hotList: json(toTextList),
  selfList: json(toTextList),
  banners: json((value) => (Array.isArray(value) ? value : null)),
  currentProduct: plainText,
  themeMode: (text) => (text === 'light' || text === 'dark' || text === 'system' ? text : null),
  guestId: plainText,
  balance: json(toBalance),
  preferences: json(toPreferences),
  kefuOutbox: json((value) => (isRecord(value) ? value : null)),
  tableColumns: json(toTableColumns),
  panels: json(toPanels),
  defaultLots: json(toTextRecord),
}

/** Entries stored as plain text; all others are stored as JSON. */
export function toStoredText(value: StorageEntries[StorageKey]): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function plainText(text: string): string | null {
  return text === '' ? null : text
}

function json<T>(convert: (value: Json) => T | null): Reader<T> {
  return (text) => {
    try {
      return convert(JSON.parse(text) as Json)
    } catch {
      return null
    }
  }
}

function isRecord(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toTextList(value: Json): string[] | null {
  if (!Array.isArray(value)) return null
  return value.filter((item): item is string => typeof item === 'string')
}

function toTextRecord(value: Json): Record<string, string> | null {
  if (!isRecord(value)) return null
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function toTableColumns(value: Json): Record<string, StoredColumns> | null {
  if (!isRecord(value)) return null
  return Object.fromEntries(
    Object.entries(value).flatMap(([table, columns]) =>
      isRecord(columns) ? [[table, toSwitches(columns)] as const] : [],
    ),
  )
}

function toSwitches(value: { [name: string]: Json }): StoredColumns {
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
    ),
  )
}

function toPanels(value: Json): StoredPanels | null {
  if (!isRecord(value)) return null
  const { list, ticket, bottom } = value
  return {
    ...(typeof list === 'number' ? { list } : {}),
    ...(typeof ticket === 'number' ? { ticket } : {}),
    ...(typeof bottom === 'number' ? { bottom } : {}),
  }
}

function toUser(value: Json): StoredUser | null {
  if (!isRecord(value)) return null
  const { userId, userName, type, authStatus } = value
  if (typeof userId !== 'string' || userId === '' || typeof type !== 'number') return null
  return {
    userId,
    userName: typeof userName === 'string' ? userName : '',
    type,
    authStatus: typeof authStatus === 'number' ? authStatus : -1,
  }
}

function toBalance(value: Json): StoredBalance | null {
  if (!isRecord(value)) return null
  const { balance, zengjin } = value
  return typeof balance === 'string' && typeof zengjin === 'string' ? { balance, zengjin } : null
}

const directions: readonly string[] = ['green-up', 'red-up', 'red-up-blue-down', 'blue-orange']

function toPreferences(value: Json): StoredPreferences | null {
  if (!isRecord(value)) return null
  const {
    direction,
    hourCycle,
    timeZone,
    reduceMotion,
    hideSmall,
    orderSounds,
    compactRows,
    shortcuts,
  } = value
  const displayCurrency = displayCurrencies.find((one) => one === value.displayCurrency)
  const orderEntry = orderEntries.find((one) => one === value.orderEntry)
  const protectionUnit = protectionUnits.find((one) => one === value.protectionUnit)
  return {
    ...(typeof direction === 'string' && directions.includes(direction)
      ? { direction: direction as PriceDirection }
      : {}),
    ...(hourCycle === '12' || hourCycle === '24' ? { hourCycle } : {}),
    ...(isZone(timeZone) ? { timeZone } : {}),
    ...(typeof reduceMotion === 'boolean' ? { reduceMotion } : {}),
    ...(displayCurrency ? { displayCurrency } : {}),
    ...(protectionUnit ? { protectionUnit } : {}),
    ...(typeof hideSmall === 'boolean' ? { hideSmall } : {}),
    ...(typeof orderSounds === 'boolean' ? { orderSounds } : {}),
    ...(typeof compactRows === 'boolean' ? { compactRows } : {}),
    ...(orderEntry ? { orderEntry } : {}),
    ...(typeof shortcuts === 'boolean' ? { shortcuts } : {}),
  }
}
