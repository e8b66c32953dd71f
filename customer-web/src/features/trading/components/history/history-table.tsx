import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatAmount, formatFixed } from '@/format/amount'
import { dayOf } from '@/format/days'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { usePreferences } from '@/theme/preferences'
import { ChangeText } from '@/ui/change-text'
import { IconButton } from '@/ui/icon-button'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { totalsOf } from '../../model/history-totals'
import { type Column, DataTable } from '../table/data-table'
import { ProductCell } from '../table/product-cell'
import { DayHead } from './day-head'

type Position = Wire['Position']

export type HistoryTableProps = {
  positions: readonly Position[]
  products: readonly Product[]
  /** The net of each day, by `yyyy-mm-dd`. */
  days: ReadonlyMap<string, string>
  /** The screen with the chart of a position's trade. */
  chartPath: (position: Position) => string | undefined
  onOpen: (position: Position) => void
}

/** A table of closed positions with the page's totals; each row opens its fills. */
export function HistoryTable(props: HistoryTableProps) {
  const { positions, products, days, chartPath, onOpen } = props
  const { t } = useTranslation()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const dayOfClosing = ({ closedAt = 0 }: Position) => dayOf(closedAt, zone)
  const columns = useHistoryColumns(products)
  const totals = totalsOf(positions)
  return (
    <DataTable
      id="history"
      label={t('history.title')}
      columns={columns}
      rows={positions}
      keyOf={({ positionId }) => positionId}
      onPress={onOpen}
      pressLabel={t('history.show_fills')}
      opensDialog
      groups={{
        of: dayOfClosing,
        head: (first) => <DayHead at={first.closedAt ?? 0} net={days.get(dayOfClosing(first))} />,
      }}
      actions={(position) => (
        <IconButton
          icon="trade"
          label={t('history.open_chart')}
          to={chartPath(position) ?? '/quotes'}
        />
      )}
      foot={[
        {
          label: t('history.totals'),
          values: {
            profit: <ChangeText kind="number" value={totals.profit} arrow />,
            commission: <Num>{formatFixed(totals.commission, 2)}</Num>,
            swap: <Num>{formatFixed(totals.swap, 2)}</Num>,
          },
        },
        ...(totals.net === totals.profit
          ? []
          : [
              {
                label: t('history.net'),
                values: { profit: <ChangeText kind="number" value={totals.net} arrow /> },
              },
            ]),
      ]}
    />
  )
}

function useHistoryColumns(products: readonly Product[]): readonly Column<Position>[] {
  const { t } = useTranslation()
  return useMemo(() => {
    const productOf = (id: number) => products.find(({ productId }) => productId === id)
    const price = (position: Position, value: string | undefined) => {
      const product = productOf(position.productId)
      return product ? formatPrice(value, product.point) : formatAmount(value)
    }
    return [
      {
        key: 'product',
        title: t('figure.product'),
        text: true,
        cell: ({ productId, side }) => (
          <ProductCell
            symbol={productOf(productId)?.productNo}
            side={side}
            word={t(side === 'buy' ? 'trade.buy' : 'trade.sell')}
          />
        ),
      },
      {
        key: 'lots',
        title: t('trade.lots_head'),
        cell: ({ productId, lotsOpened }) => (
          <Num>{formatLots(productOf(productId), lotsOpened)}</Num>
        ),
      },
      {
        key: 'prices',
        title: t('history.open_to_close'),
        cell: (position) => (
          <Num>
            {price(position, position.openPrice)} → {price(position, position.price)}
          </Num>
        ),
      },
      {
        key: 'profit',
        title: t('trade.profit_unit'),
        cell: ({ profit }) => <ChangeText kind="number" value={profit} arrow />,
      },
      {
        key: 'commission',
        title: t('trade.commission'),
        priority: 3,
        cell: ({ commission }) => <Num>{formatFixed(commission, 2)}</Num>,
      },
      {
        key: 'swap',
        title: t('position.swap'),
        priority: 2,
        cell: ({ swap }) => <Num>{formatFixed(swap, 2)}</Num>,
      },
      {
        key: 'reason',
        title: t('history.reason'),
        priority: 1,
        text: true,
        cell: ({ closeReason }) => closeReason && t(`history.reason.${closeReason}`),
      },
      {
        key: 'opened',
        title: t('trade.opened'),
        priority: 4,
        cell: ({ openedAt }) => <TimeText at={openedAt} />,
      },
      {
        key: 'closed',
        title: t('history.closed'),
        cell: ({ closedAt }) =>
          closedAt !== undefined && <TimeText at={closedAt} shape="dateTimeSeconds" />,
      },
    ]
  }, [t, products])
}
