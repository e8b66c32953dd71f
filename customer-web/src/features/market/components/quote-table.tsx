import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { useDayLines } from '../api/day-lines'
import { useStatuses } from '../model/use-statuses'
import type { SortedListProps } from './list-props'
import styles from './quote-table.module.css'
import { QuoteTableRow } from './quote-table-row'
import { ariaSort, SortButton } from './sort-button'

export type QuoteTableProps = SortedListProps & {
  /** Hides spread, high and low if there is less room. */
  compact?: boolean
}

/** The desktop's table of quotes. */
export function QuoteTable(props: QuoteTableProps) {
  const { label, products, favourites, onToggle, linkOf, sort, onSort, compact = false } = props
  const { t } = useTranslation()
  const statuses = useStatuses()
  const lines = useDayLines(products.map(({ productId }) => productId))
  const end = (text: string) => (
    <th scope="col" className={styles.end}>
      {text}
    </th>
  )
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr className={cx(styles.grid, styles.head, compact && styles.compact)}>
          <th scope="col">
            <span className="visually-hidden">{t('quotes.favourite')}</span>
          </th>
          <th scope="col" aria-sort={ariaSort('symbol', sort)}>
            <SortButton text={t('figure.product')} column="symbol" sort={sort} onSort={onSort} />
          </th>
          <th scope="col">{t('quotes.name')}</th>
          <th scope="col">{t('quotes.day')}</th>
          {end(t('quotes.bid'))}
          {end(t('quotes.ask'))}
          {!compact && end(t('figure.spread'))}
          <th scope="col" aria-sort={ariaSort('change', sort)} className={styles.end}>
            <SortButton text={t('quotes.change')} column="change" sort={sort} onSort={onSort} />
          </th>
          {!compact && (
            <th scope="col" className={styles.middle}>
              {t('market.range_24h')}
            </th>
          )}
          {!compact && (
            <th scope="col" className={cx(styles.end, styles.hours)}>
              {t('quotes.hours')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {products.map((product) => (
          <QuoteTableRow
            key={product.productId}
            product={product}
            status={statuses.get(product.productId)}
            line={lines.get(product.productId)}
            to={linkOf(product.productId)}
            favourite={favourites.includes(product.productId)}
            onToggle={onToggle}
            compact={compact}
          />
        ))}
      </tbody>
    </table>
  )
}
