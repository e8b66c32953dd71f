import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Chip } from '@/ui/chip'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useDayLines } from '../api/day-lines'
import { useProducts } from '../api/products'
import { groupOf, inGroup, type ProductGroup, productGroups } from '../model/product-groups'
import { useStoredFavourites } from '../model/stored-favourites'
import { useStatuses } from '../model/use-statuses'
import { WatchRow } from './watch-row'
import styles from './watchlist.module.css'

export type WatchlistProps = { chosen: number; onPick: (productId: number) => void }

/** The terminal's watchlist: tabs above, rows below. The initial tab contains the chosen product. */
export function Watchlist({ chosen, onPick }: WatchlistProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useProducts()
  const { ids } = useStoredFavourites()
  const [picked, setPicked] = useState<ProductGroup | null>(null)
  const product = data?.find((one) => one.productId === chosen)
  const usual = ids.includes(chosen) || !product ? 'favourites' : groupOf(product)
  const list = picked ?? usual
  const shown = useMemo(() => inGroup(list, data ?? [], ids), [data, list, ids])
  const lines = useDayLines(shown.map((product) => product.productId))
  const statuses = useStatuses()
  return (
    <>
      <fieldset className={styles.lists} aria-label={t('trade.watchlist')}>
        {productGroups.map((one) => (
          <Chip key={one} on={one === list} onClick={() => setPicked(one)}>
            {t(`market.list.${one}`)}
          </Chip>
        ))}
      </fieldset>
      {error && <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={12} />}
      {data && shown.length === 0 && <EmptyState icon="star" text={t('trade.no_favourites')} />}
      {shown.length > 0 && (
        <ul className={styles.rows}>
          {shown.map((product) => (
            <WatchRow
              key={product.productId}
              product={product}
              status={statuses?.get(product.productId)}
              line={lines.get(product.productId)}
              on={product.productId === chosen}
              onPick={onPick}
            />
          ))}
        </ul>
      )}
    </>
  )
}
