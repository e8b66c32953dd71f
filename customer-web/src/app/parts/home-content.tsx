import { HomeBanners } from './home-banners'
import { HomeStrip } from './home-strip'

export { HomeNews } from './home-news'

/** Published content of the home page: the newest notice and the banners. */
export function HomeContent() {
  return (
    <>
      <HomeStrip />
      <HomeBanners />
    </>
  )
}
