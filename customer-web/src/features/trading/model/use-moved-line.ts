import { useState } from 'react'
import type { Wire } from '@/api/client'
import type { TradeLine } from '@/features/chart/model/trade-line'
import { useAccount } from '@/live/account-store'
import { type PendingOrder, usePendingOrders } from '../api/pending-orders'
import type { PendingOrderInput } from './pending-order'
import type { DraggedProtection } from './protection'

/** A chart line that was dragged and not saved yet: its position or order, and the dropped price. */
export type MovedLine = { lineId: string; price: string } & (
  | { position: Wire['Position']; dragged: DraggedProtection }
  | { order: PendingOrder; dragged: Partial<Pick<PendingOrderInput, 'price' | 'limitPrice'>> }
)

/** Keeps the dragged line until its form is closed. */
export function useMovedLine(): {
  moved: MovedLine | null
  move: (line: TradeLine, price: string) => void
  end: () => void
} {
  const orders = usePendingOrders()
  const [moved, setMoved] = useState<MovedLine | null>(null)
  const move = ({ id: lineId, moves }: TradeLine, price: string) => {
    if (moves?.of === 'position') {
      const { positions } = useAccount.getState()
      const position = positions?.find(({ positionId }) => positionId === moves.id)
      if (position) setMoved({ lineId, price, position, dragged: { [moves.price]: price } })
    } else if (moves) {
      const order = orders.find(({ orderId }) => orderId === moves.id)
      if (order) setMoved({ lineId, price, order, dragged: { [moves.price]: price } })
    }
  }
  return { moved, move, end: () => setMoved(null) }
}
