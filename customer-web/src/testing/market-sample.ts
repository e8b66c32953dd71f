import type { Wire } from '@/api/client'
import { answer } from './fake-server'

type Product = Wire['Product']

const own = { productId: 0, inverse: false, point: 0 }

/** A sample product; fields that are not given are EURUSD's. */
export function sampleProduct(change: Partial<Product>): Product {
  return {
    productId: 1,
    productNo: 'EURUSD',
    productName: 'Euro / US dollar',
    url: '',
    type: 'forex',
    base: 'EUR',
    quote: 'USD',
    point: 5,
    spread: '0.00012',
    lastPrice: '1.15824',
    sellPrice: '1.15824',
    buyPrice: '1.15836',
    open24Hours: '1.16068',
    close24Hours: '1.15824',
    high24Hours: '1.16142',
    low24Hours: '1.15738',
    multiple: '100,50',
    contractSize: 100_000,
    lotMin: '0.01',
    lotStep: '0.01',
    lotMax: '50',
    marginModel: 'forex',
    hedgedRatio: '0.5',
    commissionPerLot: '0',
    commissionBps: 0,
    commissionMin: '0',
    stopLevel: 20,
    staleMs: 10_000,
    mode: 'full',
    tiers: [],
    spreadMarkup: 0,
    swapModel: 'points',
    swapLong: '-8.9',
    swapShort: '2.4',
    tripleDay: 3,
    conversion: own,
    marginConversion: own,
    ...change,
  }
}

export const eurusd = sampleProduct({})

export const gold = sampleProduct({
  productId: 101,
  productNo: 'XAUUSD',
  productName: 'Gold / US dollar',
  type: 'metal',
  base: 'XAU',
  point: 2,
  spread: '0.35',
  lastPrice: '4078.42',
  sellPrice: '4078.42',
  buyPrice: '4078.77',
  open24Hours: '4042.44',
  close24Hours: '4078.42',
  high24Hours: '4087.98',
  low24Hours: '4035.77',
})

export const bitcoin = sampleProduct({
  productId: 201,
  productNo: 'BTCUSD',
  productName: 'Bitcoin / US dollar',
  type: 'crypto',
  base: 'BTC',
  point: 2,
  sellPrice: '92184.50',
  buyPrice: '92190.00',
  lastPrice: '92184.50',
  open24Hours: '90412.00',
  close24Hours: '92184.50',
  high24Hours: '92640.00',
  low24Hours: '89874.50',
  staleMs: 5_000,
  mode: 'full',
  tiers: [],
  spreadMarkup: 0,
  swapModel: 'points',
  swapLong: '-8.9',
  swapShort: '2.4',
  tripleDay: 3,
})

export const apple = sampleProduct({
  productId: 301,
  productNo: 'AAPL',
  productName: 'Apple',
  type: 'us_stock',
  base: 'AAPL',
  point: 2,
  sellPrice: '271.36',
  buyPrice: '271.40',
  lastPrice: '271.36',
  open24Hours: '270.22',
  close24Hours: '271.36',
  high24Hours: '272.10',
  low24Hours: '269.55',
})

export const hongKong = sampleProduct({
  productId: 402,
  productNo: 'HK50',
  productName: 'Hong Kong 50 index',
  type: 'index',
  base: 'HK50',
  quote: 'HKD',
  point: 1,
  sellPrice: '25804.0',
  buyPrice: '25810.0',
  lastPrice: '25804.0',
})

export const sampleProducts: readonly Product[] = [eurusd, gold, bitcoin, apple, hongKong]

/** Hong Kong is closed, everything else trades. */
export function sampleStatus(feed: Wire['MarketStatus']['feed'] = 'simulated') {
  const now = Date.now()
  return {
    serverTime: now,
    marketTime: now,
    feed,
    tapeBatch: 1,
    tapeSealedAt: now,
    products: sampleProducts.map(({ productId }) => ({
      productId,
      open: productId !== hongKong.productId,
      until: now + 3_600_000,
      halted: false,
      stale: false,
    })),
  } satisfies Wire['MarketStatus']
}

/** A page of an empty list. */
export const emptyPage = { list: [], total: 0, more: false, page: 1, size: 8, next: 0 }

/** The market's calls with sample answers, and those of the home page without content. */
export function sampleMarket() {
  return {
    'common/platformRunningStatus': () => answer(1),
    'api/findProductList': () => answer(sampleProducts),
    'api/getPreheatedProductList': () => answer([201, 101]),
    'api/getMarketStatus': () => answer(sampleStatus()),
    'api/fp24hp': () => answer([]),
    'api/findByBannerList': () => answer([]),
    'siteMail/findSiteMailPage': () => answer(emptyPage),
    'currencyNews/findCurrencyNewsPage': () => answer(emptyPage),
    'config/findFrontConfigList': () => answer([]),
  }
}
