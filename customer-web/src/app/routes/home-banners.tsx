import { type Banner, useBanners } from '@/features/notice/api/banners'
import { BannerCarousel } from '@/features/notice/components/banner-carousel'
import type { ShownBanner } from '@/features/notice/components/banner-text'
import { targetOf } from '@/features/notice/model/target'
import { hasRoute } from '../routes'
import { BannerRoom } from './banner-room'
import { HomeFailed } from './home-failed'

/** The banners this app can show: those that lead nowhere, out of the app, or to a screen that it has. */
function toShown(banners: readonly Banner[]): ShownBanner[] {
  return banners.flatMap(({ id, title, body, link, image, alt = '' }) => {
    const target = targetOf(link, hasRoute)
    if (link !== '' && !target) return []
    return [{ id, title, body, target, image: image ? { src: image, alt } : undefined }]
  })
}

/** The banners; none while their switch is off, which the server looks at. */
export function HomeBanners() {
  const query = useBanners()
  if (query.isPending) return <BannerRoom />
  if (!query.data) return <HomeFailed query={query} />
  const shown = toShown(query.data)
  return shown.length > 0 && <BannerCarousel banners={shown} />
}
