import { PLATFORM_TYPE, SIGNATURE_LENGTH } from '@/constants'
import { currentLanguage } from '@/i18n/i18n'
import { storage } from '@/storage/storage'
import { sha256Hex } from './sha256'

/** The key the server uses unless it is configured otherwise; index.html then names another. */
const DEFAULT_NEWSIGN_KEY = 'candor-web'

let clockOffset = 0

/** Learns the server's time from its answer, so that a wrong clock here does not lock a trader out. */
export function correctClock(serverTime: number): void {
  clockOffset = serverTime - Date.now()
}

/** The server's time as far as it is known, in milliseconds. */
export function serverNow(): number {
  return Date.now() + clockOffset
}

/** The pair that every call and the websocket's address carry. A check of the client, not a secret. */
export function sign(now = serverNow()): { localtimes: string; newsign: string } {
  const localtimes = String(now)
  return { localtimes, newsign: sha256Hex(localtimes + newsignKey()).slice(0, SIGNATURE_LENGTH) }
}

/** The headers of the specification, for one call. */
export function requestHeaders(): Record<string, string> {
  const language = currentLanguage()
  return {
    language: language.code,
    languageType: String(language.id),
    traceId: newTraceId(),
    domain: window.location.host,
    platformType: String(PLATFORM_TYPE),
    apptoken: storage.read('token') ?? '',
    ...sign(),
  }
}

/** 128 random bits in hex, which name one call in our logs and on the trader's screen. */
export function newTraceId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

function newsignKey(): string {
  return (
    document.querySelector<HTMLMetaElement>('meta[name="newsign-key"]')?.content ||
    DEFAULT_NEWSIGN_KEY
  )
}
