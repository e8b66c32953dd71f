import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useProducts } from '@/features/market/api/products'
import { LiveBanner } from '@/features/market/components/live-banner'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useFavourites } from '@/features/market/model/favourites'
import {
  groupOf,
  inGroup,
  productGroups,
  sortProducts,
  toSort,
} from '@/features/market/model/product-groups'
import { withTexts } from '@/i18n/i18n'
import { useTablet } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TabGroup } from '@/ui/tab-group'
import { groupNames, QuotesPanel } from '../parts/quotes-panel'
import { useTitle } from '../use-title'
import styles from './quotes.module.css'

const PANEL_ID = 'quotes-panel'
/** Only a tablet has it, with its chart and its texts. */
const QuotesDetail = lazy(() => withTexts(() => import('../parts/quotes-detail'), ['trading']))

/** All products with their prices, by group. A tablet has the chosen product beside them. */
export default function Quotes() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const { data: products } = useProducts()
  const { ids, ready } = useFavourites()
  const tablet = useTablet()
  useTitle(t('shell.nav.quotes'))

  const named = productGroups.find((group) => group === params.get('tab'))
  // The favourites are the default group, unless there are none.
  const group = named ?? (ready && ids.length === 0 ? 'forex' : 'favourites')
  const sort = toSort(params.get('sort'))
  const change = (name: 'tab' | 'sort', value: string | null) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        if (value === null) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )

  const present = new Set(products?.map(groupOf))
  const tabs = productGroups.map((one) => ({
    title: t(groupNames[one]),
    hidden: products !== undefined && !present.has(one) && one !== 'favourites' && one !== 'movers',
  }))

  const shown = products && sortProducts(inGroup(group, products, ids), sort)
  const wanted = Number(params.get('product'))
  // The first of a group stays beside the list until another is chosen, though prices reorder the list.
  const [first, setFirst] = useState<{ group: string; productId: number }>()
  const leading = shown?.[0]
  if (tablet && leading && first?.group !== group) setFirst({ group, productId: leading.productId })
  const listed = (id: number | undefined) => shown?.find(({ productId }) => productId === id)
  const chosen = listed(wanted) ?? listed(first?.productId) ?? leading
  const linkBeside = (productId: number) => {
    const next = new URLSearchParams(params)
    next.set('product', String(productId))
    return `/quotes?${next}`
  }

  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <div className={styles.title}>
          <h1>{t('shell.nav.quotes')}</h1>
          <span className={styles.source}>
            <SimulatedTag />
          </span>
          <span className={styles.tools}>
            <IconButton to="/editFav" icon="edit" size={20} strong label={t('favourites.edit')} />
            <IconButton to="/search" icon="search" size={22} strong label={t('search.title')} />
          </span>
        </div>
        <TabGroup
          type="line"
          label={t('quotes.lists')}
          panelId={PANEL_ID}
          active={productGroups.indexOf(group)}
          onChange={(index) => change('tab', productGroups[index] ?? null)}
          list={tabs}
        />
      </div>
      <LiveBanner />
      <div className={cx(styles.body, tablet && chosen && styles.split)}>
        <div
          id={PANEL_ID}
          role="tabpanel"
          aria-label={t(groupNames[group])}
          className={styles.panel}
        >
          <QuotesPanel
            group={group}
            sort={sort}
            onSort={(next) => change('sort', next)}
            {...(tablet && { chosen: chosen?.productId, linkOf: linkBeside })}
          />
        </div>
        {tablet && chosen && (
          <aside className={styles.detail} aria-label={t('figure.product')}>
            <Suspense fallback={<SkeletonRows rows={8} rowHeight={56} />}>
              <QuotesDetail product={chosen} />
            </Suspense>
          </aside>
        )}
      </div>
    </div>
  )
}
