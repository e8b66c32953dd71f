import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Product, useProducts } from '@/features/market/api/products'
import { useHotList } from '@/features/market/model/hot-list'
import { pickProducts } from '@/features/market/model/pick-products'
import type { StoredFavourites } from '@/features/market/model/stored-favourites'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { useTradeLink } from '../nav/trade-link'
import { ListError } from './list-error'
import { ListSkeleton } from './list-skeleton'

export type HomeListContent = {
  products: Product[]
  favourites: readonly number[]
  linkOf: (productId: number) => string | undefined
}

export type HomeListProps = {
  kind: 'favourites' | 'hot'
  favourites: StoredFavourites
  /** The maximum number of products shown. */
  most: number
  /** Renders the products once there are any. */
  children: (list: HomeListContent) => ReactNode
}

/** A short list of the home screen in all its states; a failure leaves the other lists alone. */
export function HomeList({ kind, favourites, most, children }: HomeListProps) {
  const { t } = useTranslation()
  const products = useProducts()
  const hot = useHotList()
  const linkOf = useTradeLink()
  const ids = kind === 'hot' ? hot.data : favourites.ready ? favourites.ids : undefined

  if (!products.data || !ids) {
    const failure = products.data ? (kind === 'hot' ? hot.error : favourites.error) : products.error
    if (!failure) return <ListSkeleton rows={8} />
    const retry = () => {
      if (!products.data) void products.refetch()
      if (kind === 'hot') void hot.refetch()
      else favourites.retry()
    }
    return <ListError error={failure} onRetry={retry} retrying={products.isFetching} />
  }
  const list = pickProducts(products.data, ids).slice(0, most)
  if (list.length > 0) return children({ products: list, favourites: favourites.ids, linkOf })
  return kind === 'favourites' ? (
    <EmptyState
      icon="star"
      text={t('favourites.none')}
      action={<Button to="/quotes?tab=forex">{t('home.add_from_quotes')}</Button>}
    />
  ) : (
    <EmptyState text={t('quotes.none')} action={<Button to="/quotes">{t('home.all')}</Button>} />
  )
}
