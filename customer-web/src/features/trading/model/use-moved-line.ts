import { useState } from 'react'
import type { Wire } from '@/api/client'
import type { TradeLine } from '@/features/chart/model/trade-line'
import { useAccount } from '@/live/account-store'
import { useWaitingOrders, type WaitingOrder } from '../api/waiting'
import type { ProtectionWish } from './protection'
import type { Terms } from './waiting'

/** A line of the chart that was dragged and not saved yet: what it belongs to, and the price it was put at. */
export type MovedLine = { lineId: string; price: string } & (
  | { position: Wire['Position']; wish: ProtectionWish }
  | { order: WaitingOrder; wish: Partial<Pick<Terms, 'price' | 'limitPrice'>> }
)

/** Holds the line that was dragged until its form is closed. */
export function useMovedLine(): {
  moved: MovedLine | null
  move: (line: TradeLine, price: string) => void
  end: () => void
} {
  const orders = useWaitingOrders()
  const [moved, setMoved] = useState<MovedLine | null>(null)
  const move = ({ id: lineId, moves }: TradeLine, price: string) => {
    if (moves?.of === 'position') {
      const { positions } = useAccount.getState()
      const position = positions?.find(({ positionId }) => positionId === moves.id)
      if (position) setMoved({ lineId, price, position, wish: { [moves.price]: price } })
    } else if (moves) {
      const order = orders.find(({ orderId }) => orderId === moves.id)
      if (order) setMoved({ lineId, price, order, wish: { [moves.price]: price } })
    }
  }
  return { moved, move, end: () => setMoved(null) }
}
