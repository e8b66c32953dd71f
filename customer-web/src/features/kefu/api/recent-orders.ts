import { useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { useSession } from '@/session/session-store'

/** An order as a selectable row. */
export type RecentOrder = {
  orderId: number
  productId: number
  side: Wire['Order']['side']
  lots: string
  at: number
}

const SIZE = 20

/** The newest orders: pending and filled. */
export function useRecentOrders() {
  const owner = useSession(({ user }) => user?.userId ?? '')
  return useQuery({ queryKey: ['kefu', 'orders', owner], queryFn: findRecentOrders })
}

async function findRecentOrders(): Promise<RecentOrder[]> {
  const params = { query: { size: SIZE } }
  const [placed, filled] = await Promise.all([
    call(api.GET('/client/trade/findOrderPage', { params })),
    call(api.GET('/client/trade/findFillPage', { params })),
  ])
  const orders = [
    ...filled.list.map((fill) => ({ ...fill, at: fill.time })),
    ...placed.list.map((order) => ({ ...order, at: order.createdAt })),
  ]
  const byId = new Map(
    orders.map(({ orderId, productId, side, lots, at }) => [
      orderId,
      { orderId, productId, side, lots, at },
    ]),
  )
  return [...byId.values()].sort((a, b) => b.at - a.at).slice(0, SIZE)
}
