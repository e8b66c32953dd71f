import { useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire, type Write } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { applyAccount } from '@/live/live'
import { type PendingOrder, pendingOrdersQuery, refreshPendingOrders } from './pending-orders'

type Result = Wire['OrderResult']

/** A write of one order; its answer updates the list at once. */
function useOrderWrite<Body>(
  send: (body: Body, write: Write) => Promise<Result>,
  onChecking?: () => void,
) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send,
    onChecking,
    onAnswer: ({ order, statistics }) => {
      applyAccount({ statistics })
      client.setQueryData(pendingOrdersQuery.queryKey, (list) => list && withOrder(list, order))
      void refreshPendingOrders(client)
    },
  })
}

/** The list with the updated order; an order that ended is removed together with its OCO partner. */
function withOrder(list: PendingOrder[], order: PendingOrder): PendingOrder[] {
  const others = list.filter(({ orderId }) => orderId !== order.orderId)
  const isPending = order.status === 'untriggered' || order.status === 'working'
  if (isPending) return [order, ...others].sort((a, b) => b.orderId - a.orderId)
  return others.filter(({ ocoId }) => ocoId === undefined || ocoId !== order.ocoId)
}

/** Places a pending order. */
export const useInsertPendingOrder = (onChecking?: () => void) =>
  useOrderWrite(
    (body: Wire['InsertPendingOrder'], write) =>
      call(api.POST('/client/trade/insertPendingOrder', { body, ...idempotent(write) })),
    onChecking,
  )

/** Places two pending orders as an OCO pair. */
export function useInsertOcoOrders(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['InsertOcoOrders'], write) =>
      call(api.POST('/client/trade/insertOcoOrders', { body, ...idempotent(write) })),
    onChecking,
    onAnswer: ({ orders, statistics }) => {
      applyAccount({ statistics })
      client.setQueryData(
        pendingOrdersQuery.queryKey,
        (list) => list && orders.reduce(withOrder, list),
      )
      void refreshPendingOrders(client)
    },
  })
}

/** Amends a pending order. */
export const useUpdateOrder = (onChecking?: () => void) =>
  useOrderWrite(
    (body: Wire['UpdateOrder'], write) =>
      call(api.POST('/client/trade/updateOrder', { body, ...idempotent(write) })),
    onChecking,
  )

/** Cancels a pending order. */
export const useCancelOrder = () =>
  useOrderWrite((body: Wire['CancelOrder'], write) =>
    call(api.POST('/client/trade/cancelOrder', { body, ...idempotent(write) })),
  )

/** Cancels all pending orders. */
export function useCancelAllOrders() {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['CancelAllOrders'], write) =>
      call(api.POST('/client/trade/cancelAllOrders', { body, ...idempotent(write) })),
    onAnswer: () => void refreshPendingOrders(client),
  })
}
