import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { productsQuery } from '@/features/market/api/products'

const TRADE_PATHS = ['/trade', '/pc/trade']

/**
 * Why the log-in page was opened, from the page it leads back to; empty while the product is loading, undefined if
 * the visitor opened it by themselves.
 */
export function useLoginReason(search: string): string | undefined {
  const { t } = useTranslation()
  const from = new URLSearchParams(search).get('from')
  const [path = '', query = ''] = from?.split('?') ?? []
  const named = TRADE_PATHS.includes(path) ? new URLSearchParams(query).get('product') : null
  const products = useQuery({ ...productsQuery, enabled: named !== null })
  if (from === null) return undefined
  if (named === null) return t('shell.log_in_to_continue')
  const product = products.data?.find(
    ({ productId, productNo }) => String(productId) === named || productNo === named,
  )
  if (product) return t('shell.log_in_to_trade', { symbol: product.productNo })
  return products.isPending ? '' : t('shell.log_in_to_continue')
}
