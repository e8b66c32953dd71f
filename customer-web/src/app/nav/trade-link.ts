import { useCallback } from 'react'
import { useTerminal } from '@/theme/use-media'
import { hasRoute } from '../routes'

/** The trade screen of this device; undefined if there is none. */
export function useTradePath(): string | undefined {
  const path = useTerminal() ? '/pc/trade' : '/trade'
  return hasRoute(path) ? path : undefined
}

/** Returns the path that a press on a product opens. */
export function useTradeLink(): (productId: number) => string | undefined {
  const path = useTradePath()
  return useCallback((productId) => path && `${path}?product=${productId}`, [path])
}
