import './theme/css-layers.css'
import './theme/fonts.css'
import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createHashRouter } from 'react-router'
import { trackOpenPositions } from '@/app/parts/order-badge'
import { takeLoginLink } from '@/features/account/model/login-link'
import { App } from './app/app'
import { preloadOfflineScreen } from './app/offline-host'
import { createQueryClient } from './app/query-client'
import { routeObjects } from './app/router'
import { watchStaleBuild } from './app/stale-build'
import { loadTexts, startI18n } from './i18n/i18n'
import { startLive } from './live/live'
import { preloadSheet } from './ui/sheet/sheet'

// Before the first request, and again when a link is opened in this tab.
takeLoginLink()
window.addEventListener('popstate', takeLoginLink)

watchStaleBuild()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// The texts start first, because they remove the lang parameter before the router reads the address.
const started = startI18n()
void started.then(() => {
  startLive()
  trackOpenPositions()
  createRoot(root).render(
    <StrictMode>
      <App router={createHashRouter(routeObjects())} queryClient={createQueryClient()} />
    </StrictMode>,
  )
})

// Most next steps need MUI and more texts, so they are loaded while the browser is idle.
const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1000))
const preload = () => {
  preloadSheet()
  void preloadOfflineScreen()
  // A failure shows when a screen needs them.
  started.then(() => loadTexts()).catch(() => {})
}
window.addEventListener('load', () => whenIdle(preload), { once: true })
