import { useTranslation } from 'react-i18next'
import type { TextKey } from '@/i18n/i18n'
import { useLanguage } from '@/i18n/use-language'
import type { Product } from '../api/products'

/** Names of assets other than currencies that are translated. */
const assetNames: Record<string, TextKey> = {
  XAU: 'product.asset.xau',
  XAG: 'product.asset.xag',
  BTC: 'product.asset.btc',
  ETH: 'product.asset.eth',
  LTC: 'product.asset.ltc',
  SOL: 'product.asset.sol',
  XRP: 'product.asset.xrp',
  ADA: 'product.asset.ada',
  DOGE: 'product.asset.doge',
  BNB: 'product.asset.bnb',
  US500: 'product.asset.us500',
  HK50: 'product.asset.hk50',
}

const currencies = new Map<string, Intl.DisplayNames>()

/** A currency's name in a language; null if the browser does not know it. */
function currencyName(code: string, tag: string): string | null {
  let names = currencies.get(tag)
  if (!names) {
    names = new Intl.DisplayNames(tag, { type: 'currency', fallback: 'none' })
    currencies.set(tag, names)
  }
  try {
    return names.of(code) ?? null
  } catch {
    return null
  }
}

type Named = Pick<Product, 'type' | 'productName' | 'base' | 'quote'>

/**
 * A product's name in the trader's language. The server's name is English; companies and anything without a
 * translation keep it.
 */
export function productNameIn(
  { type, productName, base, quote }: Named,
  tag: string,
  translate: (key: TextKey) => string,
): string {
  if (tag.startsWith('en') || type === 'us_stock') return productName
  const key = assetNames[base]
  const asset = key ? translate(key) : currencyName(base, tag)
  if (!asset) return productName
  if (type === 'index' || type === 'contract') return asset
  return `${asset} / ${currencyName(quote, tag) ?? quote}`
}

/** Returns a function that names products in the active language. */
export function useProductName(): (product: Named) => string {
  const { t } = useTranslation()
  const { tag } = useLanguage()
  return (product) => productNameIn(product, tag, t)
}
