import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { costsOf } from '../../model/costs'
import { profitOnMargin } from '../../model/profit-on-margin'
import { ProofButton } from '../history/proof-button'
import { type Column, DataTable } from '../table/data-table'
import { ProductCell } from '../table/product-cell'
import { RowAction } from '../table/row-action'
import { ChargesText } from './charges-text'
import { CostsText } from './costs-text'
import { OpenedText } from './opened-text'
import { ClosePositionSheet, ProtectSheet, preloadClosing } from './position-forms'
import { StopText } from './stop-text'

type Position = Wire['Position']

export type PositionTableProps = {
  positions: readonly Position[]
  products: readonly Product[]
  /** The product on the chart, whose positions are marked. */
  chosen?: number
  /** Brings a position's product to the chart. */
  onPick?: ((productId: number) => void) | undefined
}

/** The table of open positions on a desktop. */
export function PositionTable({ positions, products, chosen, onPick }: PositionTableProps) {
  const { t } = useTranslation()
  const [acting, setActing] = useState<{ id: number; on: 'close' | 'protect' } | null>(null)
  const columns = usePositionColumns(products)
  const current = positions.find(({ positionId }) => positionId === acting?.id)
  const end = () => setActing(null)
  useEffect(preloadClosing, [])
  return (
    <>
      <DataTable
        id="positions"
        label={t('order.list')}
        columns={columns}
        rows={positions}
        keyOf={({ positionId }) => positionId}
        isCurrent={({ productId }) => productId === chosen}
        onPress={onPick && (({ productId }) => onPick(productId))}
        pressLabel={t('trade.show_chart')}
        actions={({ positionId: id }) => (
          <>
            <ProofButton positionId={id} compact />
            <RowAction
              icon="sliders"
              label={t('position.protect')}
              onClick={() => setActing({ id, on: 'protect' })}
            />
            <RowAction
              icon="close"
              label={t('position.close')}
              onClick={() => setActing({ id, on: 'close' })}
            />
          </>
        )}
      />
      {current && acting?.on === 'close' && <ClosePositionSheet position={current} onClose={end} />}
      {current && acting?.on === 'protect' && <ProtectSheet position={current} onClose={end} />}
    </>
  )
}

const MONEY = 6
const PRICE = 8

function usePositionColumns(products: readonly Product[]): readonly Column<Position>[] {
  const { t } = useTranslation()
  return useMemo(() => {
    const productOf = (id: number) => products.find(({ productId }) => productId === id)
    const price = (position: Position, value: string | undefined) => {
      const product = productOf(position.productId)
      return <Num>{product ? formatPrice(value, product.point) : formatAmount(value)}</Num>
    }
    const scaled = (value: string | undefined, decimals: number) =>
      value === undefined ? null : toScaled(value, decimals)
    return [
      {
        key: 'product',
        title: t('figure.product'),
        text: true,
        sort: ({ productId }) => productOf(productId)?.productNo ?? null,
        cell: ({ productId, side, leverage }) => (
          <ProductCell
            symbol={productOf(productId)?.productNo}
            side={side}
            word={t(side === 'buy' ? 'trade.buy' : 'trade.sell')}
            leverage={leverage}
          />
        ),
      },
      {
        key: 'lots',
        title: t('trade.lots_head'),
        sort: ({ lots }) => scaled(lots, MONEY),
        cell: ({ productId, lots }) => <Num>{formatLots(productOf(productId), lots)}</Num>,
      },
      {
        key: 'open',
        title: t('trade.open_price'),
        sort: ({ openPrice }) => scaled(openPrice, PRICE),
        cell: (position) => price(position, position.openPrice),
      },
      {
        key: 'current',
        title: t('trade.current'),
        sort: (position) => scaled(position.price, PRICE),
        cell: (position) => price(position, position.price),
      },
      {
        key: 'profit',
        title: t('trade.profit_unit'),
        sort: ({ profit }) => scaled(profit, MONEY),
        cell: ({ profit }) => <ChangeText kind="number" value={profit} arrow />,
      },
      {
        key: 'on_margin',
        title: t('trade.profit_on_margin'),
        priority: 5,
        sort: (position) => scaled(profitOnMargin(position), 4),
        cell: (position) => <ChangeText value={profitOnMargin(position)} />,
      },
      {
        key: 'stop_loss',
        title: t('trade.stop_loss'),
        priority: 1,
        sort: ({ stopLoss, trailingLevel }) => scaled(stopLoss ?? trailingLevel, PRICE),
        cell: (position) => (
          <StopText position={position} product={productOf(position.productId)} />
        ),
      },
      {
        key: 'take_profit',
        title: t('trade.take_profit'),
        priority: 2,
        sort: ({ takeProfit }) => scaled(takeProfit, PRICE),
        cell: (position) => price(position, position.takeProfit),
      },
      {
        key: 'margin',
        title: t('trade.margin'),
        priority: 6,
        sort: ({ margin }) => scaled(margin, MONEY),
        cell: ({ margin }) => <Num>{formatFixed(margin, 2)}</Num>,
      },
      {
        key: 'commission',
        title: t('trade.commission'),
        priority: 8,
        sort: ({ commission }) => scaled(commission, MONEY),
        cell: ({ commission }) => <Num>{formatFixed(commission, 2)}</Num>,
      },
      {
        key: 'swap',
        title: t('position.swap'),
        priority: 7,
        sort: ({ swap }) => scaled(swap, MONEY),
        cell: (position) => (
          <ChargesText position={position} product={productOf(position.productId)} />
        ),
      },
      {
        key: 'costs',
        title: t('trade.costs'),
        priority: 3,
        folds: ['commission', 'swap'],
        sort: (position) => scaled(costsOf(position), MONEY),
        cell: (position) => (
          <CostsText position={position} product={productOf(position.productId)} />
        ),
      },
      {
        key: 'opened',
        title: t('trade.opened'),
        priority: 4,
        sort: ({ openedAt }) => openedAt,
        cell: ({ openedAt }) => <OpenedText at={openedAt} />,
      },
    ]
  }, [t, products])
}
