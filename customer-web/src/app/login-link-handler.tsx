import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useLoginLink } from '@/features/account/model/login-link'
import { withTexts } from '@/i18n/i18n'

const LoginLinkDialog = lazy(() =>
  withTexts(() => import('@/features/account/components/login-link-dialog')),
)

/**
 * Opens the confirmation dialog if the address carried a one-time code, then goes to the screen of the link with the
 * new session.
 */
export function LoginLinkHandler() {
  const { code, path } = useLoginLink()
  const navigate = useNavigate()
  if (!code) return null
  return (
    <Suspense>
      <LoginLinkDialog key={code} code={code} onEntered={() => void navigate(path)} />
    </Suspense>
  )
}
