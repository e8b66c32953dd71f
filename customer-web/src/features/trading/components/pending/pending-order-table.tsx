import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { PendingOrder } from '../../api/pending-orders'
import { ocoPartnerOf } from '../../model/oco'
import { type Column, DataTable } from '../table/data-table'
import { ProductCell } from '../table/product-cell'
import { ExpiryText } from './expiry-text'
import { PendingOrderActions } from './pending-order-actions'
import styles from './pending-order-list.module.css'
import { LiveDistance, MarketPrice } from './pending-order-prices'

export type PendingOrderTableProps = {
  orders: readonly PendingOrder[]
  productOf: (productId: number) => Product | undefined
  onEdit: (orderId: number) => void
  /** The product on the chart, whose orders are marked. */
  chosen?: number | undefined
  /** Brings an order's product to the chart. */
  onPick?: ((productId: number) => void) | undefined
}

/** The table of pending orders on a desktop. */
export function PendingOrderTable(props: PendingOrderTableProps) {
  const { orders, productOf, onEdit, chosen, onPick } = props
  const { t } = useTranslation()
  const columns = useOrderColumns(orders, productOf)
  return (
    <DataTable
      id="pending"
      label={t('waiting.list')}
      columns={columns}
      rows={orders}
      keyOf={({ orderId }) => orderId}
      isCurrent={({ productId }) => productId === chosen}
      // The two orders of an OCO pair are adjacent.
      rowClass={(order) => (ocoPartnerOf(order, orders) ? styles.pairedRow : undefined)}
      onPress={onPick && (({ productId }) => onPick(productId))}
      pressLabel={t('trade.show_chart')}
      actions={(order) => (
        <PendingOrderActions
          order={order}
          paired={ocoPartnerOf(order, orders) !== undefined}
          onEdit={() => onEdit(order.orderId)}
        />
      )}
    />
  )
}

const PRICE = 8

function useOrderColumns(
  orders: readonly PendingOrder[],
  productOf: PendingOrderTableProps['productOf'],
): readonly Column<PendingOrder>[] {
  const { t } = useTranslation()
  return useMemo(() => {
    const price = (order: PendingOrder, value: string | undefined) => {
      const product = productOf(order.productId)
      return <Num>{product ? formatPrice(value, product.point) : formatAmount(value)}</Num>
    }
    const scaled = (value: string | undefined) =>
      value === undefined ? null : toScaled(value, PRICE)
    return [
      {
        key: 'product',
        title: t('figure.product'),
        text: true,
        sort: ({ productId }) => productOf(productId)?.productNo ?? null,
        cell: (order) => {
          const product = productOf(order.productId)
          const partner = ocoPartnerOf(order, orders)
          return (
            <ProductCell
              symbol={product?.productNo}
              side={order.side}
              word={t(`trade.waiting.${order.side}_${order.type}`)}
              leverage={order.leverage}
            >
              {partner && (
                <Tag tone="accent">
                  {t('trade.oco')}
                  <span className="visually-hidden">
                    {t('waiting.oco.with', {
                      name: t(`trade.waiting.${partner.side}_${partner.type}`),
                      price: product ? formatPrice(partner.price, product.point) : partner.price,
                    })}
                  </span>
                </Tag>
              )}
            </ProductCell>
          )
        },
      },
      {
        key: 'lots',
        title: t('trade.lots_head'),
        sort: ({ lots }) => scaled(lots),
        cell: ({ productId, lots }) => <Num>{formatLots(productOf(productId), lots)}</Num>,
      },
      {
        key: 'price',
        title: t('trade.price'),
        sort: (order) => scaled(order.price),
        cell: (order) => price(order, order.price),
      },
      {
        key: 'current',
        title: t('trade.current'),
        cell: (order) => <MarketPrice order={order} product={productOf(order.productId)} />,
      },
      {
        key: 'distance',
        title: t('waiting.distance'),
        priority: 4,
        cell: (order) => <LiveDistance order={order} product={productOf(order.productId)} />,
      },
      {
        key: 'limit',
        title: t('waiting.limit_price'),
        priority: 3,
        sort: ({ limitPrice }) => scaled(limitPrice),
        cell: (order) => price(order, order.limitPrice),
      },
      {
        key: 'stop_loss',
        title: t('trade.stop_loss'),
        priority: 1,
        sort: ({ stopLoss }) => scaled(stopLoss),
        cell: (order) => price(order, order.stopLoss),
      },
      {
        key: 'take_profit',
        title: t('trade.take_profit'),
        priority: 2,
        sort: ({ takeProfit }) => scaled(takeProfit),
        cell: (order) => price(order, order.takeProfit),
      },
      {
        key: 'expiry',
        title: t('waiting.expiry'),
        priority: 5,
        cell: (order) => <ExpiryText order={order} />,
      },
      {
        key: 'placed',
        title: t('waiting.placed_at'),
        priority: 6,
        sort: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => <TimeText at={createdAt} />,
      },
    ]
  }, [t, orders, productOf])
}
