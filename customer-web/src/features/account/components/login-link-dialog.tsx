import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallFailure, Wire } from '@/api/client'
import { useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { failureText, toFailure } from '@/ui/form/problems'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { isMock } from '../api/accounts'
import { endOtherSession } from '../api/log-out'
import { loginByCode } from '../api/login-link'
import { useEnterSession, userOf } from '../model/enter-session'
import { dropLoginLink } from '../model/login-link'
import styles from './login-link-dialog.module.css'

export type LoginLinkDialogProps = {
  /** The link's one-time code. */
  code: string
  /** The trader confirmed the account. */
  onEntered: () => void
}

/**
 * Confirms a log-in link: exchanges the code and names the account before its session replaces the current one, so
 * that a stranger's link never does so silently.
 */
export default function LoginLinkDialog({ code, onEntered }: LoginLinkDialogProps) {
  const { t } = useTranslation()
  const enter = useEnterSession()
  const present = useSession(({ token, user }) => (token ? user : null))
  const [busy, setBusy] = useState(false)
  const [opened, setOpened] = useState<Wire['Session'] | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const canRetry = failure !== null && failure.code === undefined

  const exchange = async () => {
    setBusy(true)
    setFailure(null)
    try {
      setOpened(await loginByCode(code))
    } catch (error) {
      setFailure(toFailure(error))
    } finally {
      setBusy(false)
    }
  }

  const close = () => {
    if (opened) endOtherSession(opened.token)
    dropLoginLink()
  }

  const goOn = () => {
    if (!opened) return
    enter(opened)
    dropLoginLink()
    onEntered()
  }

  if (failure) {
    return (
      <Sheet
        open
        title={t('login.link.failed')}
        onClose={close}
        footer={
          <>
            <Button size="large" onClick={close}>
              {t('ui.close')}
            </Button>
            {canRetry && (
              <Button size="large" variant="primary" busy={busy} onClick={() => void exchange()}>
                {t('ui.retry')}
              </Button>
            )}
          </>
        }
      >
        <p className={styles.text} role="alert">
          {failureText(failure)}
        </p>
      </Sheet>
    )
  }

  if (opened) {
    const user = userOf(opened)
    return (
      <Sheet
        open
        title={t('login.link.whose')}
        onClose={close}
        footer={
          <>
            <Button size="large" onClick={close}>
              {t('login.link.not_mine')}
            </Button>
            <Button size="large" variant="primary" onClick={goOn}>
              {t('login.link.go')}
            </Button>
          </>
        }
      >
        <dl className={styles.lines}>
          <dt>{t('session.account')}</dt>
          <dd>
            <Num>{user.userName}</Num>
          </dd>
          <dt>{t('me.uid')}</dt>
          <dd>
            <Num>{user.userId}</Num>
          </dd>
          <dt>{t('session.account_type')}</dt>
          <dd>{isMock(user.type) ? t('session.type.demo') : t('session.type.real')}</dd>
        </dl>
        <p className={styles.text}>{t('login.link.whose.hint')}</p>
      </Sheet>
    )
  }

  return (
    <Sheet
      open
      title={t('login.link.ask')}
      onClose={close}
      footer={
        <>
          <Button size="large" disabled={busy} onClick={close}>
            {t('login.link.cancel')}
          </Button>
          <Button size="large" variant="primary" busy={busy} onClick={() => void exchange()}>
            {t('login.link.continue')}
          </Button>
        </>
      }
    >
      <p className={styles.text}>{t('login.link.ask.hint')}</p>
      {present && (
        <p className={styles.text}>
          {t('login.link.present')} <Num>{present.userName}</Num>
        </p>
      )}
    </Sheet>
  )
}
