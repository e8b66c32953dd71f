import { useEffect } from 'react'
import type { Product } from '@/features/market/api/products'
import { useLeverageCaps, useLeverageCeiling } from '@/session/info-query'
import { openTicket } from './ticket-store'

/** Has the ticket be of a product, with a leverage that the trader may use. */
export function useTicketOf(product: Product): void {
  const caps = useLeverageCaps()
  const ceiling = useLeverageCeiling()
  useEffect(() => openTicket(product, caps, ceiling), [product, caps, ceiling])
}
