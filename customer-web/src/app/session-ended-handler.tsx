import { type ComponentType, lazy, Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { onSessionEnded } from '@/api/session-ended'
import { GUEST_ACCOUNT_TYPE } from '@/constants'
import { withTexts } from '@/i18n/i18n'
import { LOGIN_PATH, loginPathFrom } from '@/session/login-path'
import { closeLoginRequest, useLoginRequest } from '@/session/login-request'
import { clearSession, useSession } from '@/session/session-store'
import { useDesktop } from '@/theme/use-media'
import { Sheet } from '@/ui/sheet/sheet'
import { type RoutePanelProps, routeAt } from './routes'

function lazyLoginPanel(): ComponentType<RoutePanelProps> | null {
  const load = routeAt(LOGIN_PATH)?.loadPanel
  return load ? lazy(() => withTexts(load)) : null
}

/**
 * Shows the log-in dialog of a desktop over the page, which keeps its inputs. It also clears a session that the
 * server ended and asks for a new log-in: on a desktop in that dialog, otherwise on the log-in page.
 */
export function SessionEndedHandler() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const desktop = useDesktop()
  const title = useLoginRequest((request) => request.title)
  const LoginPanel = useMemo(lazyLoginPanel, [])

  useEffect(
    () =>
      onSessionEnded(() => {
        const guest = useSession.getState().user?.type === GUEST_ACCOUNT_TYPE
        const reason = guest ? t('shell.guest_ended') : t('shell.session_ended')
        if (desktop && LoginPanel) useLoginRequest.setState({ title: reason, ended: true })
        clearSession()
        if (!(desktop && LoginPanel) && pathname !== LOGIN_PATH)
          void navigate(loginPathFrom(pathname + search))
      }),
    [desktop, LoginPanel, navigate, pathname, search, t],
  )

  // The dialog belongs to the page it was opened on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when the page changes
  useEffect(() => closeLoginRequest, [pathname])

  if (!LoginPanel) return null
  return (
    <Sheet open={title !== null} title={title ?? ''} onClose={closeLoginRequest}>
      <Suspense>
        <LoginPanel onClose={closeLoginRequest} />
      </Suspense>
    </Sheet>
  )
}
