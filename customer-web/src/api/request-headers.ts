import { PLATFORM_TYPE, SIGNATURE_LENGTH } from '@/constants'
import { currentLanguage } from '@/i18n/i18n'
import { storage } from '@/storage/storage'
import { sha256Hex } from './sha256'

/** The server's default key; index.html carries another one if the server is configured with one. */
const DEFAULT_NEWSIGN_KEY = 'candor-web'

let clockOffset = 0

/** Adopts the server's time from a response, so that a wrong device clock does not lock a trader out. */
export function correctClock(serverTime: number): void {
  clockOffset = serverTime - Date.now()
}

/** The best known server time, in milliseconds. */
export function serverNow(): number {
  return Date.now() + clockOffset
}

/** The signature that every call and the websocket address carry. It checks the client and is not a secret. */
export function sign(now = serverNow()): { localtimes: string; newsign: string } {
  const localtimes = String(now)
  return { localtimes, newsign: sha256Hex(localtimes + newsignKey()).slice(0, SIGNATURE_LENGTH) }
}

/** The header that names the account in use. */
export const ACCOUNT_HEADER = 'accountId'

let accountId = ''

/** The id of the account that the trader sees; empty without one. */
export const shownAccount = (): string => accountId

/** Names the account that the trader sees: an order of a tab that does not know yet that another one has switched is refused. */
export function setShownAccount(id: number | undefined): void {
  accountId = id === undefined ? '' : String(id)
}

/** The headers that the specification requires on every call. */
export function requestHeaders(): Record<string, string> {
  const language = currentLanguage()
  return {
    language: language.code,
    languageType: String(language.id),
    traceId: newTraceId(),
    domain: window.location.host,
    platformType: String(PLATFORM_TYPE),
    apptoken: storage.read('token') ?? '',
    ...(accountId && { [ACCOUNT_HEADER]: accountId }),
    ...sign(),
  }
}

/** 128 random bits in hex that identify one call in our logs and on the trader's screen. */
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
