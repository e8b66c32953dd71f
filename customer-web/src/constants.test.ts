import { expect, test } from 'vitest'
import * as module from './constants'

const constants = { ...module }

/** The values of the specification, written out a second time on purpose. */
const specification: typeof constants = {
  REQUEST_TIMEOUT_MS: 60000,
  SIGNATURE_LENGTH: 10,
  PLATFORM_TYPE: 1,
  TOKEN_UPLOAD_INTERVAL_MS: 86400000,
  PLATFORM_CHECK_INTERVAL_MS: 20000,
  CLIENT_VERSION: 'forex-2025.09.18.12:28',
  SOCKET_RECONNECT_MS: 3000,
  SOCKET_HEARTBEAT_MS: 20000,
  PREHEAT_PUSH_INTERVAL_MS: 60000,
  USER_INFO_PUSH_INTERVAL_MS: 60000,
  SOCKET_TYPE: {
    heartbeat: 1,
    tradeEvents: 2,
    balanceEvents: 3,
    user: 9,
    prices: 12,
    preheatProducts: 13,
    preheat: 14,
    userInfo: 15,
    currencyTicker: 16,
    foreignTicker: 17,
    system: 999,
  },
  UNREAD_POLL_BUILT_IN_CHAT_MS: 5000,
  UNREAD_POLL_AGENT_CHAT_MS: 8000,
  CUSTOMER_SERVICE_TYPE: { builtIn: 1, agent: 2 },
  DEFAULT_TRADE_LEVER: 100,
  DEFAULT_INVITATION_REBATE_RATIO: 20,
  DEFAULT_MONEY_LIMIT: { min: '0.0001', max: '1000000000' },
  NUMERIC_PRECISION: 6,
  MOCK_ACCOUNT_TYPES: [5, 8],
  REAL_ACCOUNT_TYPES: [1, 2, 4],
  AUTH_STATUS: { underReview: 1, failed: 2, passed: 3, none: -1 },
  IMAGE_SHRINK_THRESHOLD_BYTES: 5000000,
  IMAGE_SHRINK_SCALE: 0.4,
  IMAGE_MAX_SIDE: 4069,
  IMAGE_QUALITY: 0.5,
  LAZY_IMAGE_RETRIES: 3,
  LAZY_IMAGE_CACHE_SIZE: 200,
  LAZY_IMAGE_THROTTLE_MS: 200,
  TOAST_MS: 2000,
  OVERLAY_DELAY_MS: 50,
  OVERLAY_LINGER_MS: 220,
  RELOAD_DELAY_MS: 600,
  PAGINATION_PAGE_SIZE: 8,
  PAGINATION_TOTAL: 80,
  PAGINATION_WINDOW: 5,
  LINE_CHART_WIDTH: 8,
  VISIBILITY_THRESHOLD: 0.01,
  ANIMATION_FALLBACK_MS: 17,
  DESKTOP_MIN_WIDTH: 1024,
  DEFAULT_LOCALE: 'en-US',
  LANGUAGE_ID: {
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
  },
}

test.each(Object.keys(specification) as (keyof typeof constants)[])(
  '%s is the specification’s',
  (name) => {
    expect(constants[name]).toEqual(specification[name])
  },
)

test('no constant is left out', () => {
  expect(Object.keys(specification).sort()).toEqual(Object.keys(constants).sort())
})
