import { useBanners } from '@/features/notice/api/banners'
import { HomeBanners } from './home-banners'
import { HomeNews } from './home-news'

/** Banners and news, the last blocks of the home page. The news waits for the banners, which would move it. */
export function HomePublished() {
  const banners = useBanners()
  if (banners.isPending) return null
  return (
    <>
      <HomeBanners query={banners} />
      <HomeNews />
    </>
  )
}
