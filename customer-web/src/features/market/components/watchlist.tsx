import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Chip } from '@/ui/chip'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SearchField } from '@/ui/search-field'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useDayLines } from '../api/day-lines'
import { useProducts } from '../api/products'
import { useFavourites } from '../model/favourites'
import {
  groupOf,
  inGroup,
  type ProductGroup,
  productGroups,
  type Sort,
  sortProducts,
} from '../model/product-groups'
import { useProductName } from '../model/product-name'
import { searchProducts } from '../model/product-search'
import { useStatuses } from '../model/use-statuses'
import { useToggleFavourite } from '../model/use-toggle-favourite'
import { SortButton } from './sort-button'
import { WatchRow } from './watch-row'
import styles from './watchlist.module.css'

export type WatchlistProps = { chosen: number; onPick: (productId: number) => void }

/**
 * The terminal's watchlist: search, groups, and rows with both prices. The first group contains the chosen product;
 * a search looks through all of them. Arrow keys move the choice.
 */
export function Watchlist({ chosen, onPick }: WatchlistProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useProducts()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const nameOf = useProductName()
  const { ids } = favourites
  const [picked, setPicked] = useState<ProductGroup | null>(null)
  const [text, setText] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const rows = useRef<HTMLUListElement>(null)
  const product = data?.find((one) => one.productId === chosen)
  const usual = ids.includes(chosen) || !product ? 'favourites' : groupOf(product)
  const list = picked ?? usual
  const searching = text.trim() !== ''
  const shown = useMemo(() => {
    const found = searching
      ? searchProducts(data ?? [], text, nameOf)
      : inGroup(list, data ?? [], ids)
    return sortProducts(found, sort)
  }, [data, list, ids, searching, text, nameOf, sort])
  const lines = useDayLines(shown.map(({ productId }) => productId))
  const statuses = useStatuses()

  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const at = shown.findIndex(({ productId }) => productId === chosen)
    const next = by === 0 || at === -1 ? undefined : shown[at + by]
    if (!next) return
    event.preventDefault()
    onPick(next.productId)
    rows.current?.querySelectorAll<HTMLElement>('[data-pick]')[at + by]?.focus()
  }

  return (
    <div className={styles.watchlist}>
      <div className={styles.head}>
        <h2>{t('trade.watchlist')}</h2>
        <SearchField value={text} onChange={setText} label={t('search.field')} />
      </div>
      <fieldset className={styles.lists} aria-label={t('trade.watchlist')}>
        {productGroups.map((one) => (
          <Chip
            key={one}
            on={!searching && one === list}
            onClick={() => {
              setPicked(one)
              setText('')
            }}
          >
            {t(`market.list.${one}`)}
          </Chip>
        ))}
      </fieldset>
      <div className={styles.columns}>
        <SortButton text={t('figure.product')} column="symbol" sort={sort} onSort={setSort} />
        <span className={styles.line} aria-hidden />
        <span>{t('quotes.bid')}</span>
        <span>{t('quotes.ask')}</span>
        <span className={styles.spread}>{t('figure.spread')}</span>
        <SortButton
          text="%"
          label={t('quotes.change')}
          column="change"
          sort={sort}
          onSort={setSort}
        />
      </div>
      {error && <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={12} />}
      {data && shown.length === 0 && (
        <EmptyState
          icon={searching ? 'search' : 'star'}
          text={searching ? t('search.none', { text: text.trim() }) : t('trade.no_favourites')}
        />
      )}
      {shown.length > 0 && (
        <ul ref={rows} className={styles.rows} onKeyDown={onKeyDown}>
          {shown.map((one) => (
            <WatchRow
              key={one.productId}
              product={one}
              status={statuses?.get(one.productId)}
              line={lines.get(one.productId)}
              on={one.productId === chosen}
              favourite={ids.includes(one.productId)}
              onPick={onPick}
              onToggle={star}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
