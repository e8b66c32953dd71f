import { useTranslation } from 'react-i18next'
import { useProducts } from '@/features/market/api/products'
import { QuoteList } from '@/features/market/components/quote-list'
import { QuoteTable } from '@/features/market/components/quote-table'
import { useFavourites } from '@/features/market/model/favourites'
import {
  inGroup,
  type ProductGroup,
  type Sort,
  sortProducts,
} from '@/features/market/model/product-groups'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import type { TextKey } from '@/i18n/i18n'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { useTradeLink } from '../nav/trade-link'
import { ListError } from './list-error'
import { ListSkeleton } from './list-skeleton'

export const groupNames: Record<ProductGroup, TextKey> = {
  favourites: 'market.list.favourites',
  movers: 'market.list.movers',
  forex: 'market.list.forex',
  metals: 'market.list.metals',
  crypto: 'market.list.crypto',
  us_stocks: 'market.list.us_stocks',
  contracts: 'market.list.contracts',
}

export type QuotesPanelProps = {
  group: ProductGroup
  sort: Sort | null
  onSort: (sort: Sort | null) => void
  /** The product shown beside the list. */
  chosen?: number | undefined
  /** Where a press on a product leads; the trade screen if absent. */
  linkOf?: ((productId: number) => string | undefined) | undefined
}

/** One list of the quotes page, in all its states. */
export function QuotesPanel({ group, sort, onSort, chosen, linkOf }: QuotesPanelProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const products = useProducts()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const tradeLink = useTradeLink()

  if (!products.data) {
    if (!products.error) return <ListSkeleton rows={10} phoneRowHeight={60} />
    return (
      <ListError
        error={products.error}
        onRetry={() => void products.refetch()}
        retrying={products.isFetching}
      />
    )
  }
  if (group === 'favourites' && !favourites.ready) {
    if (!favourites.error) return <ListSkeleton rows={10} phoneRowHeight={60} />
    return <ListError error={favourites.error} onRetry={favourites.retry} />
  }
  const list = inGroup(group, products.data, favourites.ids)
  if (list.length === 0) {
    return group === 'favourites' ? (
      <EmptyState
        icon="star"
        text={t('favourites.none')}
        action={<Button to="/editFav">{t('favourites.edit')}</Button>}
      />
    ) : (
      <EmptyState
        text={t('quotes.none')}
        action={<Button to="/search">{t('search.title')}</Button>}
      />
    )
  }
  const List = desktop ? QuoteTable : QuoteList
  return (
    <List
      label={t(groupNames[group])}
      products={sortProducts(list, sort)}
      favourites={favourites.ids}
      onToggle={star}
      linkOf={linkOf ?? tradeLink}
      chosen={chosen}
      sort={sort}
      onSort={onSort}
    />
  )
}
