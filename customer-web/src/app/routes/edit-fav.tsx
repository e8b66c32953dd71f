import { useTranslation } from 'react-i18next'
import { useProducts } from '@/features/market/api/products'
import { useFavourites } from '@/features/market/model/favourites'
import { pickProducts } from '@/features/market/model/pick-products'
import { EmptyState } from '@/ui/empty-state'
import styles from '../parts/edit-fav.module.css'
import { EditFavAdd } from '../parts/edit-fav-add'
import { EditFavList } from '../parts/edit-fav-list'
import { ListError } from '../parts/list-error'
import { ListSkeleton } from '../parts/list-skeleton'
import { Page } from '../parts/page'

/** Favourites: reorder, remove and add. */
export default function EditFav() {
  const { t } = useTranslation()
  return (
    <Page title={t('favourites.edit')}>
      <Content />
    </Page>
  )
}

function Content() {
  const { t } = useTranslation()
  const products = useProducts()
  const favourites = useFavourites()
  const { ids, ready } = favourites

  if (!products.data || !ready) {
    const failure = products.data ? favourites.error : products.error
    if (!failure) return <ListSkeleton phoneRowHeight={56} />
    const retry = () => {
      if (!products.data) void products.refetch()
      favourites.retry()
    }
    return <ListError error={failure} onRetry={retry} retrying={products.isFetching} />
  }
  const chosen = pickProducts(products.data, ids)
  const others = products.data.filter(({ productId }) => !ids.includes(productId))
  return (
    <div className={styles.parts}>
      <section className={styles.block} aria-label={t('market.list.favourites')}>
        {chosen.length === 0 ? <EmptyState icon="star" text={t('favourites.none_add')} /> : null}
        <EditFavList products={chosen} onMove={favourites.move} onRemove={favourites.remove} />
      </section>
      <EditFavAdd products={others} onAdd={favourites.add} />
    </div>
  )
}
