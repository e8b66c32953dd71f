import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { TextField } from '@/ui/form/text-field'
import { Sheet } from '@/ui/sheet/sheet'
import { type Factors, updatePasskey } from '../api/factors'
import styles from './security.module.css'

export type RenamePasskeySheetProps = {
  passkey: Factors['passkeys'][number]
  onDone: (factors: Factors) => void
  onClose: () => void
}

/** Renames a passkey. */
export function RenamePasskeySheet({ passkey, onDone, onClose }: RenamePasskeySheetProps) {
  const { t } = useTranslation()
  const id = useId()
  const [name, setName] = useState(passkey.name)
  const save = useMutation({
    mutationFn: () => updatePasskey(passkey.passkeyId, name.trim()),
    onSuccess: onDone,
  })
  return (
    <Sheet
      open
      title={t('factor.passkey.rename.title')}
      onClose={onClose}
      footer={
        <Button
          type="submit"
          form={id}
          size="large"
          variant="primary"
          block
          busy={save.isPending}
          disabled={name.trim() === ''}
        >
          {t('factor.passkey.rename.save')}
        </Button>
      }
    >
      <form
        id={id}
        className={styles.sheet}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending && name.trim() !== '') save.mutate()
        }}
      >
        <TextField
          label={t('factor.passkey.name')}
          name="name"
          autoComplete="off"
          maxLength={60}
          value={name}
          onChange={setName}
        />
        {save.error && <FailureNote error={save.error} />}
      </form>
    </Sheet>
  )
}
