import { useTranslation } from 'react-i18next'
import { type Product, useProducts } from '@/features/market/api/products'
import { ProductList } from '@/features/market/components/product-list'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useFavourites } from '@/features/market/model/favourites'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { useTradeLink } from '../nav/trade-link'
import { ListError } from './list-error'
import { ListSkeleton } from './list-skeleton'
import styles from './search.module.css'

export type SearchResultsProps = {
  text: string
  found: readonly Product[]
  onOpen: (product: Product) => void
}

/** Search results, best match first; screen readers hear the number of results. */
export function SearchResults({ text, found, onOpen }: SearchResultsProps) {
  const { t } = useTranslation()
  const products = useProducts()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const linkOf = useTradeLink()

  if (!products.data) {
    if (!products.error) return <ListSkeleton phoneRowHeight={56} />
    return (
      <ListError
        error={products.error}
        onRetry={() => void products.refetch()}
        retrying={products.isFetching}
      />
    )
  }
  if (found.length === 0) {
    return (
      <EmptyState
        icon="search"
        text={t('search.none', { text })}
        action={<Button to="/quotes">{t('search.browse')}</Button>}
      />
    )
  }
  return (
    <section className={styles.block}>
      <div className={styles.head}>
        <h2>
          <span role="status">{t('search.found', { count: found.length })}</span>
        </h2>
        <SimulatedTag />
      </div>
      <ProductList
        label={t('search.results')}
        products={found}
        favourites={favourites.ids}
        onToggle={star}
        linkOf={linkOf}
        onOpen={onOpen}
      />
    </section>
  )
}
