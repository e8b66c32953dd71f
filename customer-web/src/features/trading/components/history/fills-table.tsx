import ButtonBase from '@mui/material/ButtonBase'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatFixed } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { type Column, DataTable } from '../table/data-table'
import { ProductCell } from '../table/product-cell'
import styles from './proof-mark.module.css'

type Fill = Wire['Fill']

export type FillsTableProps = {
  fills: readonly Fill[]
  products: readonly Product[]
  /** Shows a fill's trade in the chart of its product. */
  onPick?: ((productId: number, positionId: number) => void) | undefined
}

/** A table of fills, each with its receipt. */
export function FillsTable({ fills, products, onPick }: FillsTableProps) {
  const { t } = useTranslation()
  const columns = useFillColumns(products)
  return (
    <DataTable
      id="fills"
      label={t('trade.fills')}
      columns={columns}
      rows={fills}
      keyOf={({ fillId }) => fillId}
      onPress={onPick && (({ productId, positionId }) => onPick(productId, positionId))}
      pressLabel={t('trade.show_chart')}
      actions={({ fillId }) => (
        <ButtonBase
          className={styles.mark}
          aria-label={t('trade.open_proof')}
          title={t('trade.open_proof')}
          onClick={() => openReceipt(fillId)}
        >
          <Mark size={18} />
        </ButtonBase>
      )}
    />
  )
}

function useFillColumns(products: readonly Product[]): readonly Column<Fill>[] {
  const { t } = useTranslation()
  return useMemo(() => {
    const productOf = (id: number) => products.find(({ productId }) => productId === id)
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
        key: 'entry',
        title: t('trade.entry'),
        priority: 2,
        text: true,
        cell: ({ entry }) => t(`trade.entry.${entry}`),
      },
      {
        key: 'lots',
        title: t('trade.lots_head'),
        cell: ({ productId, lots }) => <Num>{formatLots(productOf(productId), lots)}</Num>,
      },
      {
        key: 'price',
        title: t('trade.price'),
        cell: ({ price, productId }) => (
          <Num>{formatPrice(price, productOf(productId)?.point ?? 2)}</Num>
        ),
      },
      {
        key: 'profit',
        title: t('trade.profit_unit'),
        cell: ({ entry, profit }) =>
          entry === 'close' ? <ChangeText kind="number" value={profit} /> : <Num>–</Num>,
      },
      {
        key: 'rule',
        title: t('trade.rule'),
        priority: 1,
        text: true,
        cell: ({ rule }) => t(`trade.rule_of.${rule}`),
      },
      {
        key: 'commission',
        title: t('trade.commission'),
        priority: 3,
        cell: ({ commission }) => <Num>{formatFixed(commission, 2)}</Num>,
      },
      {
        key: 'time',
        title: t('trade.time'),
        cell: ({ time }) => <TimeText at={time} shape="dateTimeSeconds" />,
      },
    ]
  }, [t, products])
}
