import { type Banner, useBanners } from '@/features/notice/api/banners'
import { BannerCarousel } from '@/features/notice/components/banner-carousel'
import type { ShownBanner } from '@/features/notice/components/banner-text'
import { targetOf } from '@/features/notice/model/target'
import { useSwitch } from '@/features/switches/api/front-config'
import { hasRoute } from '../routes'
import { BannerPlaceholder } from './banner-placeholder'
import { HomeBlockError } from './home-block-error'

/** Where one comes by a demo account: leads to nothing while those are switched off. */
const DEMO_PATH = '/switchAccount'

/** The banners this app can show: those that lead nowhere, out of the app, or to a screen that opens. */
function toShown(banners: readonly Banner[], opens: (path: string) => boolean): ShownBanner[] {
  return banners.flatMap(({ id, title, body, link, image, alt = '' }) => {
    const target = targetOf(link, opens)
    if (link !== '' && !target) return []
    return [{ id, title, body, target, image: image ? { src: image, alt } : undefined }]
  })
}

/** The banners; none while their switch is off, which the server looks at. */
export function HomeBanners() {
  const query = useBanners()
  const demo = useSwitch('demo.enabled')
  if (query.isPending) return <BannerPlaceholder />
  if (!query.data) return <HomeBlockError query={query} />
  const shown = toShown(query.data, (path) => hasRoute(path) && (demo || path !== DEMO_PATH))
  return shown.length > 0 && <BannerCarousel banners={shown} />
}
