import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { createPasskeyLogin, loginByPasskey } from '@/features/passkey/api/passkey-login'
import { askPasskey, PasskeyCancelled, passkeysSupported } from '@/features/passkey/model/passkey'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Note } from '@/ui/note'

export type PasskeyButtonProps = {
  onDone: (session: Wire['Session']) => void
  primary?: boolean
}

/** Logs in with a passkey, which needs neither a password nor a code. Nothing in a browser without them. */
export function PasskeyButton({ onDone, primary = false }: PasskeyButtonProps) {
  const { t } = useTranslation()
  const [supported] = useState(passkeysSupported)
  const log = useMutation({
    mutationFn: async () => loginByPasskey(await askPasskey(await createPasskeyLogin())),
    onSuccess: onDone,
  })
  if (!supported) return null
  return (
    <>
      <Button
        size="large"
        block
        variant={primary ? 'primary' : 'plain'}
        busy={log.isPending}
        onClick={() => log.mutate()}
      >
        {t('login.passkey')}
      </Button>
      {log.error instanceof PasskeyCancelled ? (
        <Note tone="warning">{t('factor.passkey.cancelled')}</Note>
      ) : (
        log.error && <FailureNote error={log.error} />
      )}
    </>
  )
}
