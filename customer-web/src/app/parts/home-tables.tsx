import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QuoteTable } from '@/features/market/components/quote-table'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useFavourites } from '@/features/market/model/favourites'
import { type Sort, sortProducts } from '@/features/market/model/product-groups'
import { useToggleFavourite } from '@/features/market/model/use-toggle-favourite'
import { IconButton } from '@/ui/icon-button'
import { AllQuotesLink } from './all-quotes-link'
import { HomeList } from './home-list'
import styles from './home-tables.module.css'

/** The desktop's prices on the home screen: favourites, and the most traded below. */
export function HomeTables() {
  const { t } = useTranslation()
  return (
    <>
      <Table kind="favourites" title={t('market.list.favourites')} />
      <Table kind="hot" title={t('home.hot')} />
    </>
  )
}

type TableProps = { kind: 'favourites' | 'hot'; title: string }

function Table({ kind, title }: TableProps) {
  const { t } = useTranslation()
  const favourites = useFavourites()
  const star = useToggleFavourite(favourites)
  const [sort, setSort] = useState<Sort | null>(null)
  const titleId = `home-${kind}`
  return (
    <section className={styles.table} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <SimulatedTag />
        <span className={styles.tools}>
          {kind === 'favourites' && (
            <>
              <IconButton to="/editFav" icon="edit" label={t('favourites.edit')} />
              <IconButton to="/search" icon="search" label={t('search.title')} />
            </>
          )}
          <AllQuotesLink {...(kind === 'favourites' ? { group: kind } : {})} />
        </span>
      </div>
      <HomeList kind={kind} favourites={favourites} most={20}>
        {(list) => (
          <QuoteTable
            {...list}
            compact
            label={title}
            products={sortProducts(list.products, sort)}
            onToggle={star}
            sort={sort}
            onSort={setSort}
          />
        )}
      </HomeList>
    </section>
  )
}
