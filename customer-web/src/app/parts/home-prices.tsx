import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProductList } from '@/features/market/components/product-list'
import { SimulatedTag } from '@/features/market/components/simulated-tag'
import { useStoredFavourites } from '@/features/market/model/stored-favourites'
import { TabGroup } from '@/ui/tab-group'
import { AllQuotesLink } from './all-quotes-link'
import { HomeList } from './home-list'
import styles from './home-prices.module.css'

const PANEL_ID = 'home-prices'

/** The phone's prices on the home screen: favourites or the most traded. */
export function HomePrices() {
  const { t } = useTranslation()
  const favourites = useStoredFavourites()
  const [picked, setPicked] = useState<number | null>(null)
  // An empty list is a poor first view.
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
        <AllQuotesLink />
      </div>
      <div className={styles.tag}>
        <SimulatedTag />
        <span className={styles.caption} aria-hidden>
          {t('quotes.bid')} · {t('quotes.day')}
        </span>
      </div>
      <div id={PANEL_ID} role="tabpanel" aria-label={tabs[tab]}>
        <HomeList kind={tab === 0 ? 'favourites' : 'hot'} favourites={favourites} most={10}>
          {(list) => <ProductList {...list} label={tabs[tab] ?? ''} />}
        </HomeList>
      </div>
    </section>
  )
}
