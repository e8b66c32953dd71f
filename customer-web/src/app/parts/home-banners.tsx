import type { Banner, useBanners } from '@/features/notice/api/banners'
import { BannerCarousel } from '@/features/notice/components/banner-carousel'
import type { ShownBanner } from '@/features/notice/components/banner-text'
import { targetOf } from '@/features/notice/model/target'
import { useSwitch } from '@/features/switches/api/front-config'
import { hasRoute } from '../routes'
import { HomeBlockError } from './home-block-error'

/** The page that offers demo accounts; banners don't link to it while demo accounts are switched off. */
const DEMO_PATH = '/switchAccount'

/** Keeps the banners this app can show: without a link, with an external link, or with a link to an existing screen. */
function toShown(banners: readonly Banner[], opens: (path: string) => boolean): ShownBanner[] {
  return banners.flatMap(({ id, title, body, link, image, alt = '' }) => {
    const target = targetOf(link, opens)
    if (link !== '' && !target) return []
    return [{ id, title, body, target, image: image ? { src: image, alt } : undefined }]
  })
}

/** The banners. The server returns none while their switch is off. */
export function HomeBanners({ query }: { query: ReturnType<typeof useBanners> }) {
  const demo = useSwitch('demo.enabled')
  if (!query.data) return <HomeBlockError query={query} />
  const shown = toShown(query.data, (path) => hasRoute(path) && (demo || path !== DEMO_PATH))
  return shown.length > 0 && <BannerCarousel banners={shown} />
}
