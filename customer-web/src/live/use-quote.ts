import { useCallback, useSyncExternalStore } from 'react'
import { type LiveQuote, quoteStore, readQuote } from './quote-store'

/** A product's latest quote; subscribes to it while the component is mounted. */
export function useQuote(productId: number): LiveQuote | undefined {
  const listen = useCallback(
    (changed: () => void) => quoteStore.listen(productId, changed),
    [productId],
  )
  return useSyncExternalStore(listen, () => readQuote(productId))
}
