import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { type Banner, useBanners } from '@/features/notice/api/banners'
import type { ShownBanner } from '@/features/notice/components/banner-text'
import { Button } from '@/ui/button'
import { Skeleton } from '@/ui/skeleton'
import { useDelayed } from '@/ui/use-delayed'
import { hasRoute } from '../routes'
import styles from './home-banners.module.css'

const BannerCarousel = lazy(() => import('@/features/notice/components/banner-carousel'))

/** The banners this app can show: it has the screen they speak of. */
function toShown(banners: readonly Banner[]): ShownBanner[] {
  return banners.flatMap(({ id, title, body, link }) =>
    hasRoute(link.split('?')[0] ?? '') ? [{ id, title, body, to: link }] : [],
  )
}

export function HomeBanners() {
  const { t } = useTranslation()
  const { data, error, isPending, isFetching, refetch } = useBanners()
  if (isPending) return <BannerRoom />
  if (!data) {
    return (
      <div className={styles.failed} role="alert">
        <p>{reasonOf(error).reason}</p>
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          {t('ui.retry')}
        </Button>
      </div>
    )
  }
  const shown = toShown(data)
  if (shown.length === 0) return null
  return (
    <Suspense fallback={<BannerRoom />}>
      <BannerCarousel banners={shown} />
    </Suspense>
  )
}

/** The space of a banner to come. */
function BannerRoom() {
  const drawn = useDelayed(true)
  return (
    <div className={styles.room} aria-busy>
      {drawn && (
        <>
          <Skeleton width="42%" height={14} />
          <Skeleton width="68%" />
        </>
      )}
    </div>
  )
}
