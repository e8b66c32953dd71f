import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Outlet, useNavigation } from 'react-router'
import { useTickers } from '@/features/market/api/products'
import { ReceiptHost } from '@/features/receipt/components/receipt-host'
import { usePlatformWatch } from '@/live/platform-status'
import { useDocumentTheme } from '@/theme/use-document-theme'
import { ToastHost } from '@/ui/toast/toast-host'
import { ChatDockHost } from './chat-dock-host'
import { LoadingOverlay } from './loading-overlay'
import { LoginLinkHandler } from './login-link-handler'
import { OfflineHost } from './offline-host'
import { SessionEndedHandler } from './session-ended-handler'
import { useAccountSwitches } from './use-account-switches'
import { useSessionUpkeep } from './use-session-upkeep'
import { useSwitchUpdates } from './use-switch-updates'

const ContentHost = lazy(() => import('./content-host'))
const ScrollRestoration = lazy(() => import('./scroll-restoration'))

/** The frame of every screen: loading overlay, offline screen, toasts and log-in dialog. */
export function Root() {
  const loading = useNavigation().state !== 'idle'
  useDocumentTheme()
  usePlatformWatch()
  const client = useQueryClient()
  useTickers(client)
  useSwitchUpdates(client)
  useSessionUpkeep(client)
  const switches = useAccountSwitches(client)
  return (
    <>
      <Outlet key={switches} />
      <LoadingOverlay active={loading} />
      <SessionEndedHandler />
      <LoginLinkHandler />
      <OfflineHost />
      <ReceiptHost />
      <ChatDockHost />
      <Suspense>
        <ContentHost />
        <ScrollRestoration />
      </Suspense>
      <ToastHost />
    </>
  )
}
