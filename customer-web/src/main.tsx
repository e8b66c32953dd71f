// First, so that its requests are on their way before the libraries run.
import './app/first-screen'
import './theme/css-layers.css'
import './theme/fonts.css'
import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createHashRouter } from 'react-router'
import { trackOpenPositions } from '@/app/parts/order-badge'
import { takeLoginLink } from '@/features/account/model/login-link'
import { productsQuery } from '@/features/market/api/products'
import { App } from './app/app'
import { createQueryClient } from './app/query-client'
import { routeObjects } from './app/router'
import { watchStaleBuild } from './app/stale-build'
import { currentLanguage, loadTexts, startI18n } from './i18n/i18n'
import { startLive } from './live/live'
import { loadDirection } from './theme/mui-root'
import { preloadSheet } from './ui/sheet/sheet'

// Before the first request, and again when a link is opened in this tab.
takeLoginLink()
window.addEventListener('popstate', takeLoginLink)

watchStaleBuild()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// What the first screen needs loads at the same time: its texts, the screen and the products. The texts are first, because they remove the lang
// parameter before the router reads the address.
const started = startI18n().then(() => loadDirection(currentLanguage().dir))
const queryClient = createQueryClient()
const router = createHashRouter(routeObjects())
void queryClient.prefetchQuery(productsQuery)
void started.then(() => {
  startLive()
  trackOpenPositions()
  createRoot(root).render(
    <StrictMode>
      <App router={router} queryClient={queryClient} />
    </StrictMode>,
  )
})

// What most next steps need is loaded at the first touch or key, so that a mere visit stays light.
const preload = () => {
  preloadSheet()
  // A failure shows when a screen needs them.
  started.then(() => loadTexts()).catch(() => {})
}
for (const event of ['pointerdown', 'keydown']) {
  window.addEventListener(event, preload, { once: true, passive: true })
}
