import { useTranslation } from 'react-i18next'
import { LiveBanner } from '@/features/market/components/live-banner'
import { Closing } from '@/features/restriction/components/closing'
import { useSession } from '@/session/session-store'
import { useDesktop } from '@/theme/use-media'
import { FirstSteps } from '../parts/first-steps'
import { HomeAccount } from '../parts/home-account'
import { HomeDiscover } from '../parts/home-discover'
import { HomeHero } from '../parts/home-hero'
import { HomeMovers } from '../parts/home-movers'
import { HomePrices } from '../parts/home-prices'
import { HomePublished } from '../parts/home-published'
import { HomeStrip } from '../parts/home-strip'
import { HomeTables } from '../parts/home-tables'
import { HomeTopBar } from '../parts/home-top-bar'
import { QuickActions } from '../parts/quick-actions'
import { useTitle } from '../use-title'
import { useUnreadChat } from '../use-unread-chat'
import styles from './home-index.module.css'

/** The home screen: account, quick actions, news and prices. */
export default function HomeIndex() {
  const { t } = useTranslation()
  useUnreadChat(true)
  const desktop = useDesktop()
  const visitor = useSession(({ token }) => token === null)
  useTitle()
  if (!desktop) {
    return (
      <>
        <HomeTopBar />
        <div className={styles.blocks}>
          <HomeAccount />
          <Closing />
          {visitor ? <HomeHero /> : <FirstSteps />}
          <QuickActions />
          <HomeStrip />
          <HomeMovers />
          <div>
            <LiveBanner />
            <HomePrices />
          </div>
          {visitor && <HomeDiscover />}
          <HomePublished />
        </div>
      </>
    )
  }
  return (
    <div className={styles.columns}>
      <h1 className="visually-hidden">{t('shell.nav.home')}</h1>
      <div className={styles.main}>
        <LiveBanner />
        {visitor && <HomeHero />}
        <HomeMovers />
        <HomeTables />
        {visitor && <HomeDiscover />}
      </div>
      <div className={styles.side}>
        <HomeAccount />
        <Closing />
        {!visitor && <FirstSteps />}
        <QuickActions />
        <HomeStrip />
        <HomePublished />
      </div>
    </div>
  )
}
