import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { useDayLines } from '../api/day-lines'
import { useStatuses } from '../model/use-statuses'
import type { SortedListProps } from './list-props'
import { QuoteRow } from './quote-row'
import styles from './quote-row.module.css'
import { SortButton } from './sort-button'

export type QuoteListProps = SortedListProps

/** The phone's list of quotes. */
export function QuoteList(props: QuoteListProps) {
  const { label, products, favourites, onToggle, linkOf, chosen, sort, onSort } = props
  const { t } = useTranslation()
  const statuses = useStatuses()
  const lines = useDayLines(products.map(({ productId }) => productId))
  return (
    <>
      <div className={cx(styles.grid, styles.head)}>
        <span />
        <span>
          <SortButton text={t('figure.product')} column="symbol" sort={sort} onSort={onSort} />
        </span>
        <span>
          <SortButton text={t('quotes.day')} column="change" sort={sort} onSort={onSort} />
        </span>
        <span>{t('quotes.bid_low')}</span>
        <span>{t('quotes.ask_high')}</span>
      </div>
      <ul aria-label={label}>
        {products.map((product) => (
          <QuoteRow
            key={product.productId}
            product={product}
            status={statuses.get(product.productId)}
            line={lines.get(product.productId)}
            to={linkOf(product.productId)}
            on={product.productId === chosen}
            favourite={favourites.includes(product.productId)}
            onToggle={onToggle}
          />
        ))}
      </ul>
    </>
  )
}
