import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import type { PendingOrder } from '../../api/pending-orders'
import { type Column, DataTable } from '../table/data-table'
import { ProductCell } from '../table/product-cell'
import { EndReason } from './end-reason'

export type EndedTableProps = {
  orders: readonly PendingOrder[]
  productOf: (productId: number) => Product | undefined
}

/** Orders that ended without a fill, on a desktop. */
export function EndedTable({ orders, productOf }: EndedTableProps) {
  const { t } = useTranslation()
  const columns = useMemo<readonly Column<PendingOrder>[]>(() => {
    const price = (order: PendingOrder, value: string | undefined) => {
      const product = productOf(order.productId)
      return <Num>{product ? formatPrice(value, product.point) : formatAmount(value)}</Num>
    }
    return [
      {
        key: 'product',
        title: t('figure.product'),
        text: true,
        cell: (order) => (
          <ProductCell
            symbol={productOf(order.productId)?.productNo}
            side={order.side}
            word={t(`trade.waiting.${order.side}_${order.type}`)}
          />
        ),
      },
      {
        key: 'lots',
        title: t('trade.lots_head'),
        cell: ({ productId, lots }) => <Num>{formatLots(productOf(productId), lots)}</Num>,
      },
      {
        key: 'price',
        title: t('trade.price'),
        cell: (order) => price(order, order.price),
      },
      {
        key: 'limit',
        title: t('waiting.limit_price'),
        priority: 2,
        cell: (order) => price(order, order.limitPrice),
      },
      {
        key: 'reason',
        title: t('history.reason'),
        text: true,
        cell: (order) => <EndReason order={order} />,
      },
      {
        key: 'placed',
        title: t('waiting.placed_at'),
        priority: 3,
        cell: ({ createdAt }) => <TimeText at={createdAt} />,
      },
      {
        key: 'ended',
        title: t('history.ended_at'),
        cell: ({ endedAt }) =>
          endedAt !== undefined && <TimeText at={endedAt} shape="dateTimeSeconds" />,
      },
      {
        key: 'number',
        title: t('history.order_number'),
        priority: 1,
        cell: ({ orderId }) => <Num>{orderId}</Num>,
      },
    ]
  }, [t, productOf])
  return (
    <DataTable
      id="ended"
      label={t('history.unfilled')}
      columns={columns}
      rows={orders}
      keyOf={({ orderId }) => orderId}
    />
  )
}
