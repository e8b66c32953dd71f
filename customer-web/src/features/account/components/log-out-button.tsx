import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { failureText, toFailure } from '@/ui/form/problems'
import { toast } from '@/ui/toast/toast-store'
import { logOut } from '../api/log-out'

export type LogOutButtonProps = {
  /** Called when the confirmation opens. */
  onAsk?: () => void
  /** Called after logging out. */
  onDone: () => void
}

/** Ends the session after confirmation, and clears the stored user data. */
export function LogOutButton({ onAsk, onDone }: LogOutButtonProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: logOut,
    onSuccess: () => {
      clearSession()
      client.clear()
      onDone()
    },
    onError: (error) => {
      setAsking(false)
      toast.error(failureText(toFailure(error)) ?? '')
    },
  })
  const ask = () => {
    setAsking(true)
    onAsk?.()
  }
  return (
    <>
      <Button variant="plain" size="large" block onClick={ask}>
        {t('me.log_out')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('me.log_out.ask')}
        text={t('me.log_out.hint')}
        safeLabel={t('me.log_out.stay')}
        confirmLabel={t('me.log_out')}
        danger
        busy={isPending}
        onConfirm={() => mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
