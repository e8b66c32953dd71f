import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { LiveBanner } from '@/features/market/components/live-banner'
import { useDesktop } from '@/theme/use-media'
import { BannerPlaceholder } from '../parts/banner-placeholder'
import { HomeAccount } from '../parts/home-account'
import { HomePrices } from '../parts/home-prices'
import { HomeTopBar } from '../parts/home-top-bar'
import { ListSkeleton } from '../parts/list-skeleton'
import { QuickActions } from '../parts/quick-actions'
import { useTitle } from '../use-title'
import { useUnreadChat } from '../use-unread-chat'
import styles from './home-index.module.css'

const HomeTables = lazy(() => import('../parts/home-tables'))
const content = () => import('../parts/home-content')
const HomeContent = lazy(() => content().then((all) => ({ default: all.HomeContent })))
const HomeNews = lazy(() => content().then((all) => ({ default: all.HomeNews })))

/** The home screen: account, quick actions, news and prices. */
export default function HomeIndex() {
  const { t } = useTranslation()
  useUnreadChat(true)
  const desktop = useDesktop()
  useTitle()
  if (!desktop) {
    return (
      <>
        <HomeTopBar />
        <div className={styles.blocks}>
          <HomeAccount />
          <QuickActions />
          <Suspense fallback={<BannerPlaceholder />}>
            <HomeContent />
          </Suspense>
          <div>
            <LiveBanner />
            <HomePrices />
          </div>
          <Suspense>
            <HomeNews />
          </Suspense>
        </div>
      </>
    )
  }
  return (
    <div className={styles.columns}>
      <h1 className="visually-hidden">{t('shell.nav.home')}</h1>
      <div className={styles.main}>
        <LiveBanner />
        <Suspense fallback={<ListSkeleton rows={12} />}>
          <HomeTables />
        </Suspense>
      </div>
      <div className={styles.side}>
        <HomeAccount />
        <QuickActions />
        <Suspense fallback={<BannerPlaceholder />}>
          <HomeContent />
          <HomeNews />
        </Suspense>
      </div>
    </div>
  )
}
