import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallFailure } from '@/api/client'
import { formatCountdown } from '@/format/countdown'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { failureText, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { createLoginCode } from '../api/login-link'
import { type LinkPath, loginLinkAddress } from '../model/login-link'
import { CopyButton } from './copy-button'
import styles from './open-elsewhere-sheet.module.css'

const Qr = lazy(() => import('@/ui/qr'))

export type OpenElsewhereSheetProps = {
  onClose: () => void
  /** The screen that the link opens; the quotes by default. */
  path?: LinkPath
  title?: string
  hint?: string
  /** Shown below the link. */
  children?: ReactNode
}

/** A one-time link to this account, as QR code and to copy, while it is valid. */
export function OpenElsewhereSheet({
  onClose,
  path,
  title,
  hint,
  children,
}: OpenElsewhereSheetProps) {
  const { t } = useTranslation()
  const [address, setAddress] = useState<string | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const [wanted, setWanted] = useState(1)
  const { left, start } = useCountdown()
  const over = address !== null && left === 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: start changes with each render; a link is created only when requested
  useEffect(() => {
    let shown = true
    setFailure(null)
    createLoginCode().then(
      ({ code, expiresAfter }) => {
        if (!shown) return
        start(expiresAfter)
        setAddress(loginLinkAddress(code, path))
      },
      (error: unknown) => shown && setFailure(toFailure(error)),
    )
    return () => {
      shown = false
    }
  }, [wanted])

  const again = () => {
    setAddress(null)
    setWanted(wanted + 1)
  }

  return (
    <Sheet open title={title ?? t('me.elsewhere')} onClose={onClose}>
      <p className={styles.hint}>{hint ?? t('me.elsewhere.hint')}</p>
      {failure ? (
        <ErrorBlock reason={failureText(failure) ?? ''} traceId={failure.traceId} onRetry={again} />
      ) : (
        <>
          <div className={styles.code} aria-busy={address === null}>
            {address && !over && (
              <Suspense>
                <Qr text={address} label={t('me.elsewhere.qr')} />
              </Suspense>
            )}
            {over && <p className={styles.over}>{t('me.elsewhere.over')}</p>}
          </div>
          {over ? (
            <Button variant="primary" size="large" block onClick={again}>
              {t('me.elsewhere.again')}
            </Button>
          ) : (
            <>
              <div className={styles.link}>
                <bdi dir="ltr">{address ?? ''}</bdi>
                <CopyButton text={address ?? ''} label={t('me.elsewhere.copy')} />
              </div>
              <p className={styles.left}>
                {t('me.elsewhere.left')} <Num>{formatCountdown(left)}</Num>
              </p>
            </>
          )}
        </>
      )}
      {children}
      <p className={styles.warning}>{t('me.elsewhere.warning')}</p>
    </Sheet>
  )
}
