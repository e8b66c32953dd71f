import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { withTexts } from '@/i18n/i18n'
import { useDesktop } from '@/theme/use-media'
import { useChatDock } from './parts/chat-dock-store'

const CHAT_PATH = '/kefu'

const ChatDock = lazy(() =>
  withTexts(() => import('./parts/chat-dock'), ['trading', 'money', 'account', 'support']),
)

/** The chat beside the page, where it was opened; the page of the chat itself needs none. */
export function ChatDockHost() {
  const open = useChatDock((dock) => dock.open)
  const desktop = useDesktop()
  const { pathname } = useLocation()
  if (!open || !desktop || pathname === CHAT_PATH) return null
  return (
    <Suspense>
      <ChatDock />
    </Suspense>
  )
}
