import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatFixed } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { ChangeText } from '@/ui/change-text'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import styles from '../positions/positions-panel.module.css'

export type FillsTableProps = {
  fills: readonly Wire['Fill'][]
  products: readonly Product[]
}

/** A table of fills, each with its receipt. */
export function FillsTable({ fills, products }: FillsTableProps) {
  const { t } = useTranslation()
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('figure.product')}</th>
          <th scope="col">{t('trade.lots_head')}</th>
          <th scope="col">{t('trade.price')}</th>
          <th scope="col">{t('trade.rule')}</th>
          <th scope="col">{t('trade.commission')}</th>
          <th scope="col">{t('trade.profit_unit')}</th>
          <th scope="col">{t('trade.time')}</th>
          <th scope="col">{t('trade.proof')}</th>
        </tr>
      </thead>
      <tbody>
        {fills.map((fill) => {
          const product = products.find((one) => one.productId === fill.productId)
          return (
            <tr key={fill.fillId}>
              <td>
                <span className={styles.what}>
                  <b>{product?.productNo}</b>
                  <Tag tone={fill.side === 'buy' ? 'up' : 'down'}>
                    {t(fill.side === 'buy' ? 'trade.buy' : 'trade.sell')}
                  </Tag>
                  <span className={styles.quiet}>{t(`trade.entry.${fill.entry}`)}</span>
                </span>
              </td>
              <td>
                <Num>{fill.lots}</Num>
              </td>
              <td>
                <Num>{formatPrice(fill.price, product?.point ?? 2)}</Num>
              </td>
              <td>{t(`trade.rule_of.${fill.rule}`)}</td>
              <td>
                <Num>{formatFixed(fill.commission, 2)}</Num>
              </td>
              <td>
                {fill.entry === 'close' ? (
                  <ChangeText kind="number" value={fill.profit} />
                ) : (
                  <Num>–</Num>
                )}
              </td>
              <td className={styles.quiet}>
                <TimeText at={fill.time} shape="dateTimeSeconds" />
              </td>
              <td>
                <button
                  type="button"
                  className={styles.proof}
                  aria-label={t('trade.open_proof')}
                  onClick={() => openReceipt(fill.fillId)}
                >
                  <Mark size={18} />
                </button>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
