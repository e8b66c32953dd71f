/**
 * The business constants of the product. Their values are fixed by the specification (point 9 and the rules it
 * refers to); constants.test.ts pins each of them. Times are milliseconds unless the name says otherwise.
 */

// Calls
export const REQUEST_TIMEOUT_MS = 60_000
/** Length of `newsign` in characters of the hash. */
export const SIGNATURE_LENGTH = 10
/** Value of the `platformType` header for the web app. */
export const PLATFORM_TYPE = 1
export const TOKEN_UPLOAD_INTERVAL_MS = 24 * 60 * 60 * 1000
export const PLATFORM_CHECK_INTERVAL_MS = 20_000
export const CLIENT_VERSION = 'forex-2025.09.18.12:28'

// Websocket
export const SOCKET_RECONNECT_MS = 3_000
export const SOCKET_HEARTBEAT_MS = 20_000
export const PREHEAT_PUSH_INTERVAL_MS = 60_000
export const USER_INFO_PUSH_INTERVAL_MS = 60_000

/** Frame types of `/ws`; `ticker*` and the private ones are only sent by the server. */
export const SOCKET_TYPE = {
  heartbeat: 1,
  tradeEvents: 2,
  balanceEvents: 3,
  user: 9,
  prices: 12,
  preheatProducts: 13,
  preheat: 14,
  userInfo: 15,
  /** 24-hour figures of crypto, and of everything else. */
  currencyTicker: 16,
  foreignTicker: 17,
  system: 999,
} as const

// Customer service
export const UNREAD_POLL_BUILT_IN_CHAT_MS = 5_000
export const UNREAD_POLL_AGENT_CHAT_MS = 8_000
export const CUSTOMER_SERVICE_TYPE = { builtIn: 1, agent: 2 } as const

// Trading and money
export const DEFAULT_TRADE_LEVER = 100
export const DEFAULT_INVITATION_REBATE_RATIO = 20
/** Limits used if the `usdt_usdt` currency configuration is missing. */
export const DEFAULT_MONEY_LIMIT = { min: '0.0001', max: '1000000000' } as const
/** Maximum decimals that an amount shows and a numeric field accepts. */
export const NUMERIC_PRECISION = 6

/** Account types that trade with demo money. */
export const MOCK_ACCOUNT_TYPES: readonly number[] = [5, 8]
/** The account type of a guest, who trades with demo money and has not registered. */
export const GUEST_ACCOUNT_TYPE = 8
/** Account types counted as real users. */
export const REAL_ACCOUNT_TYPES: readonly number[] = [1, 2, 4]

/** Any value not listed here means "not verified". */
export const AUTH_STATUS = { underReview: 1, failed: 2, passed: 3, none: -1 } as const

// Images
export const IMAGE_SHRINK_THRESHOLD_BYTES = 5_000_000
export const IMAGE_SHRINK_SCALE = 0.4
export const IMAGE_MAX_SIDE = 4069
export const IMAGE_QUALITY = 0.5
export const LAZY_IMAGE_RETRIES = 3
export const LAZY_IMAGE_CACHE_SIZE = 200
export const LAZY_IMAGE_THROTTLE_MS = 200

// Shell and widgets
export const TOAST_MS = 2_000
export const OVERLAY_DELAY_MS = 50
export const OVERLAY_LINGER_MS = 220
/** Delay before the page reloads after a new token or a language that is not allowed. */
export const RELOAD_DELAY_MS = 600
export const PAGINATION_PAGE_SIZE = 8
export const PAGINATION_TOTAL = 80
export const PAGINATION_WINDOW = 5
export const LINE_CHART_WIDTH = 8
/** Share of an element on screen from which it counts as visible. */
export const VISIBILITY_THRESHOLD = 0.01
/** Length of one frame if requestAnimationFrame is missing. */
export const ANIMATION_FALLBACK_MS = 17
/** Minimum width of the desktop layout, in CSS pixels. */
export const DESKTOP_MIN_WIDTH = 1024

// Languages
export const DEFAULT_LOCALE = 'en-US'
/** The numeric ids sent as `languageType`. */
export const LANGUAGE_ID = {
  en: 3,
  zh_CN: 1,
  zh_tw: 2,
  ko: 4,
  ja: 5,
  de: 6,
  ru: 7,
  th: 8,
  ar: 9,
  pt: 10,
  fr: 11,
  es: 12,
  tr: 13,
  hi: 14,
  kk: 15,
  ms: 16,
  id: 17,
  ur: 18,
  vn: 19,
  mn: 20,
  uz: 21,
  cs: 22,
  nl: 23,
  it: 24,
  pl: 25,
  ka: 26,
} as const
