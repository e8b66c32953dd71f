import './theme/css-layers.css'
import './theme/fonts.css'
import './theme/tokens.css'
import './theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { UNSAFE_createHashHistory as createHashHistory } from 'react-router'
import { App } from './app/app'
import { preloadOfflineScreen } from './app/offline-host'
import { createQueryClient } from './app/query-client'
import { trackOpenPositions } from './app/routes/order-badge'
import { watchStaleBuild } from './app/stale-build'
import { takeLoginLink } from './features/session/model/login-link'
import { loadTexts, startI18n } from './i18n/i18n'
import { startLive } from './live/live'
import { preloadSheet } from './ui/sheet/sheet'

// Before anything is asked of the server, and again when a link is opened in this very tab.
takeLoginLink()
window.addEventListener('popstate', takeLoginLink)

watchStaleBuild()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// The texts start first: they take the lang parameter out of the address before the router reads it.
const started = startI18n()
void started.then(() => {
  startLive()
  trackOpenPositions()
  createRoot(root).render(
    <StrictMode>
      <App history={createHashHistory({ v5Compat: true })} queryClient={createQueryClient()} />
    </StrictMode>,
  )
})

// Most things a trader does next need MUI and more texts: fetch them while nothing else is going on.
const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1000))
const preload = () => {
  preloadSheet()
  void preloadOfflineScreen()
  // A failure shows when a screen needs them.
  started.then(() => loadTexts()).catch(() => {})
}
window.addEventListener('load', () => whenIdle(preload), { once: true })
