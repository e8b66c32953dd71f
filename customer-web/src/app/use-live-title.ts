import { useEffect } from 'react'
import { formatPrice } from '@/format/price'
import { quoteStore, readQuote } from '@/live/quote-store'

const PRODUCT = 'Candor'

/** The shortest time between two titles, ms. */
const PACE_MS = 1000

export type TitledProduct = { productId: number; productNo: string; point: number }

/**
 * Puts a product's live price in front of the document title, which a browser tab still shows when another one is
 * open. The title from before comes back when the screen closes.
 */
export function useLiveTitle(product: TitledProduct | undefined): void {
  const { productId, productNo, point } = product ?? {}
  useEffect(() => {
    if (productId === undefined || point === undefined) return
    const before = document.title
    let waiting: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      waiting = undefined
      const bid = readQuote(productId)?.bid
      if (bid !== undefined) document.title = `${formatPrice(bid, point)} ${productNo} · ${PRODUCT}`
    }
    const stop = quoteStore.listen(productId, () => {
      waiting ??= setTimeout(show, PACE_MS)
    })
    show()
    return () => {
      stop()
      clearTimeout(waiting)
      document.title = before
    }
  }, [productId, productNo, point])
}
