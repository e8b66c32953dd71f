import { useTranslation } from 'react-i18next'
import { type Product, useProducts } from '@/features/market/api/products'
import { ProductList } from '@/features/market/components/product-list'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useFavourites } from '@/features/market/model/favourites'
import { useHotList } from '@/features/market/model/hot-list'
import { pickProducts } from '@/features/market/model/pick-products'
import { clearSearchRecords, useSearchRecords } from '@/features/market/model/search-records'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { Button } from '@/ui/button'
import { Chip } from '@/ui/chip'
import styles from '../routes/search.module.css'
import { ListError } from './list-error'
import { ListSkeleton } from './list-skeleton'
import { useTradeLink } from './trade-link'

export type SearchStartProps = {
  onPick: (text: string) => void
  onOpen: (product: Product) => void
}

/** The search page before typing: recent searches and the most traded products. */
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
      <section className={styles.block}>
        <div className={styles.head}>
          <h2>{t('home.hot')}</h2>
          <SimulatedTag />
        </div>
        <Hot onOpen={onOpen} />
      </section>
    </>
  )
}

function Hot({ onOpen }: Pick<SearchStartProps, 'onOpen'>) {
  const { t } = useTranslation()
  const products = useProducts()
  const hot = useHotList()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const linkOf = useTradeLink()
  const failure = products.error ?? hot.error

  if (!products.data || !hot.data) {
    if (!failure) return <ListSkeleton phoneRowHeight={56} />
    const retry = () => {
      void products.refetch()
      void hot.refetch()
    }
    return <ListError error={failure} onRetry={retry} retrying={products.isFetching} />
  }
  return (
    <ProductList
      label={t('home.hot')}
      products={pickProducts(products.data, hot.data)}
      favourites={favourites.ids}
      onToggle={star}
      linkOf={linkOf}
      onOpen={onOpen}
    />
  )
}
