import { type ComponentType, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { onSessionEnded } from '@/api/session-ended'
import { GUEST_ACCOUNT_TYPE } from '@/constants'
import { withTexts } from '@/i18n/i18n'
import { LOGIN_PATH, loginPathFrom } from '@/session/login-path'
import { clearSession, useSession } from '@/session/session-store'
import { useDesktop } from '@/theme/use-media'
import { Sheet } from '@/ui/sheet/sheet'
import { type RoutePanelProps, routeAt } from './routes'

function lazyLoginPanel(): ComponentType<RoutePanelProps> | null {
  const load = routeAt(LOGIN_PATH)?.loadPanel
  return load ? lazy(() => withTexts(load)) : null
}

/**
 * Clears a session that the server ended and asks for a new log-in: on a desktop in a dialog over the page, which
 * keeps its inputs, otherwise on the log-in page.
 */
export function SessionEndedHandler() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const desktop = useDesktop()
  const [asking, setAsking] = useState(false)
  const [guest, setGuest] = useState(false)
  const LoginPanel = useMemo(lazyLoginPanel, [])

  useEffect(
    () =>
      onSessionEnded(() => {
        setGuest(useSession.getState().user?.type === GUEST_ACCOUNT_TYPE)
        clearSession()
        if (desktop && LoginPanel) setAsking(true)
        else if (pathname !== LOGIN_PATH) void navigate(loginPathFrom(pathname + search))
      }),
    [desktop, LoginPanel, navigate, pathname, search],
  )

  if (!LoginPanel) return null
  return (
    <Sheet
      open={asking}
      title={guest ? t('shell.guest_ended') : t('shell.session_ended')}
      onClose={() => setAsking(false)}
    >
      <Suspense>
        <LoginPanel onClose={() => setAsking(false)} />
      </Suspense>
    </Sheet>
  )
}
