import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { type Popup, reportPopupSeen, usePopups } from '@/features/notice/api/popups'
import { withTexts } from '@/i18n/i18n'
import { useSession } from '@/session/session-store'
import { HOME_PATH, hasRoute } from './routes'
import { useContentUpdates } from './use-content-updates'

const PopupDialog = lazy(() => withTexts(() => import('@/features/notice/components/popup-dialog')))

/** The pages on which a pop-up may open: never over an order or a form that moves money. */
const PATHS = [HOME_PATH, '/quotes', '/myCenter']

/** Refreshes published content and shows unseen pop-ups. */
export default function ContentHost() {
  const token = useSession((session) => session.token)
  useContentUpdates(useQueryClient())
  return <Popups key={token} />
}

/**
 * The pop-ups of one session, one at a time. An open pop-up stays until it is closed, whatever is published
 * meanwhile.
 */
function Popups() {
  const here = PATHS.includes(useLocation().pathname)
  const { popups, takeOff } = usePopups()
  const [shown, setShown] = useState<Popup | null>(null)
  const next = popups[0]

  useEffect(() => {
    // A pop-up does not open over another dialog.
    if (shown || !next || !here || document.querySelector('[role="dialog"]')) return
    setShown(next)
    reportPopupSeen(next, false)
  }, [shown, next, here])

  const close = (ack: boolean) => {
    if (!shown) return
    if (ack) reportPopupSeen(shown, true)
    takeOff(shown)
    setShown(null)
  }

  if (!shown) return null
  return (
    <Suspense>
      <PopupDialog
        key={`${shown.id}.${shown.revision}`}
        popup={shown}
        open={here}
        hasPath={hasRoute}
        onClose={close}
      />
    </Suspense>
  )
}
