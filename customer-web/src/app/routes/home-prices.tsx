import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useProducts } from '@/features/market/api/products'
import { ProductList } from '@/features/market/components/product-list'
import { QuoteTable } from '@/features/market/components/quote-table'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useFavourites } from '@/features/market/model/favourites'
import { useHotList } from '@/features/market/model/hot-list'
import { pickProducts, type Sort, sortProducts } from '@/features/market/model/product-groups'
import { useStar } from '@/features/market/model/use-star'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Icon } from '@/ui/icons/icon'
import { TabGroup } from '@/ui/tab-group'
import { FailedList } from './failed-list'
import styles from './home-prices.module.css'
import { ListSkeleton } from './list-skeleton'
import { useTradeLink } from './trade-link'

const PANEL_ID = 'home-prices'
const MOST_SHOWN = 10

/** Favourites and the most traded products, with their prices. */
export function HomePrices() {
  const { t } = useTranslation()
  const favourites = useFavourites()
  const [picked, setPicked] = useState<number | null>(null)
  // A list with nothing in it is a poor first view.
  const tab = picked ?? (favourites.ready && favourites.ids.length === 0 ? 1 : 0)
  const tabs = [t('market.list.favourites'), t('home.hot')]

  return (
    <section className={styles.prices}>
      <div className={styles.head}>
        <TabGroup
          type="line"
          className={styles.tabs}
          label={t('home.lists')}
          panelId={PANEL_ID}
          active={tab}
          onChange={setPicked}
          list={tabs.map((title) => ({ title }))}
        />
        <Link to="/quotes" className={styles.all}>
          {t('home.all')}
          <Icon name="forward" size={14} />
        </Link>
      </div>
      <div className={styles.tag}>
        <SimulatedTag />
      </div>
      <div id={PANEL_ID} role="tabpanel" aria-label={tabs[tab]}>
        <Prices kind={tab === 0 ? 'favourites' : 'hot'} label={tabs[tab] ?? ''} />
      </div>
    </section>
  )
}

type PricesProps = { kind: 'favourites' | 'hot'; label: string }

function Prices({ kind, label }: PricesProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const products = useProducts()
  const hot = useHotList()
  const favourites = useFavourites()
  const star = useStar(favourites, products.data)
  const linkOf = useTradeLink()
  const [sort, setSort] = useState<Sort | null>(null)
  const ids = kind === 'hot' ? hot.data : favourites.ready ? favourites.ids : undefined
  const failure = products.data ? (kind === 'hot' ? hot.error : favourites.error) : products.error

  if (!products.data || !ids) {
    if (!failure) return <ListSkeleton />
    const retry = () => {
      if (!products.data) void products.refetch()
      if (kind === 'hot') void hot.refetch()
      else favourites.retry()
    }
    return <FailedList error={failure} onRetry={retry} retrying={products.isFetching} />
  }
  const list = pickProducts(products.data, ids).slice(0, MOST_SHOWN)
  if (list.length === 0) {
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
  const shared = { label, favourites: favourites.ids, linkOf }
  if (!desktop) return <ProductList {...shared} products={list} />
  return (
    <QuoteTable
      {...shared}
      compact
      products={sortProducts(list, sort)}
      onToggle={star}
      sort={sort}
      onSort={setSort}
    />
  )
}
