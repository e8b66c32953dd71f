import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Product, useProducts } from '@/features/market/api/products'
import { ProductList } from '@/features/market/components/product-list'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useFavourites } from '@/features/market/model/favourites'
import { useHotList } from '@/features/market/model/hot-list'
import { pickProducts } from '@/features/market/model/pick-products'
import { inGroup, productGroups } from '@/features/market/model/product-groups'
import { clearSearchRecords, useSearchRecords } from '@/features/market/model/search-records'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { Button } from '@/ui/button'
import { Chip } from '@/ui/chip'
import { EmptyState } from '@/ui/empty-state'
import { useTradeLink } from '../nav/trade-link'
import { ListError } from './list-error'
import { ListSkeleton } from './list-skeleton'
import styles from './search.module.css'

export type SearchStartProps = {
  onPick: (text: string) => void
  onOpen: (product: Product) => void
}

/** The search before typing: recent searches, and lists of products. */
export function SearchStart({ onPick, onOpen }: SearchStartProps) {
  const { t } = useTranslation()
  const { records } = useSearchRecords()
  return (
    <>
      {records.length > 0 && (
        <section className={styles.block}>
          <div className={styles.head}>
            <h2>{t('search.recent')}</h2>
            <Button variant="text" size="small" onClick={clearSearchRecords}>
              {t('search.clear_recent')}
            </Button>
          </div>
          <div className={styles.records}>
            {records.map((record) => (
              <Chip key={record} edge onClick={() => onPick(record)}>
                {record}
              </Chip>
            ))}
          </div>
        </section>
      )}
      <Browse onOpen={onOpen} />
    </>
  )
}

const lists = ['hot', ...productGroups] as const
type ListName = (typeof lists)[number]

/** The most traded products, the favourites, or one category. */
function Browse({ onOpen }: Pick<SearchStartProps, 'onOpen'>) {
  const { t } = useTranslation()
  const [list, setList] = useState<ListName>('hot')
  const products = useProducts()
  const hot = useHotList()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const linkOf = useTradeLink()
  const titleOf = (one: ListName) => t(one === 'hot' ? 'home.hot' : `market.list.${one}`)
  const failure = products.error ?? hot.error
  const retry = () => {
    void products.refetch()
    void hot.refetch()
  }
  const known = products.data && hot.data
  const shown =
    products.data && hot.data
      ? list === 'hot'
        ? pickProducts(products.data, hot.data)
        : inGroup(list, products.data, favourites.ids)
      : []
  return (
    <section className={styles.block}>
      <div className={styles.head}>
        <h2>{titleOf(list)}</h2>
        <SimulatedTag />
      </div>
      <fieldset className={styles.groups} aria-label={t('quotes.lists')}>
        {lists.map((one) => (
          <Chip key={one} on={one === list} onClick={() => setList(one)}>
            {titleOf(one)}
          </Chip>
        ))}
      </fieldset>
      {!known && !failure && <ListSkeleton phoneRowHeight={56} />}
      {!known && failure && (
        <ListError error={failure} onRetry={retry} retrying={products.isFetching} />
      )}
      {known && shown.length === 0 && (
        <EmptyState
          icon={list === 'favourites' ? 'star' : 'search'}
          text={t(list === 'favourites' ? 'favourites.none' : 'quotes.none')}
        />
      )}
      {shown.length > 0 && (
        <ProductList
          label={titleOf(list)}
          products={shown}
          favourites={favourites.ids}
          onToggle={star}
          linkOf={linkOf}
          onOpen={onOpen}
        />
      )}
    </section>
  )
}
