import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { makePasskey } from '@/features/passkey/model/passkey'
import { TextField } from '@/ui/form/text-field'
import { createPasskey, insertPasskey } from '../api/factors'
import { SecuritySheet } from './security-sheet'

export type AddPasskeySheetProps = {
  /** With the recovery codes that come with a first factor. */
  onDone: (recovery: string[]) => void
  onClose: () => void
}

const LONGEST_NAME = 60

/** Adds a passkey of this device or password manager. */
export function AddPasskeySheet({ onDone, onClose }: AddPasskeySheetProps) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  return (
    <SecuritySheet
      act="add_passkey"
      title={t('factor.passkey.add')}
      text={t('factor.passkey.before')}
      confirmLabel={t('factor.passkey.create')}
      run={async (proof) => {
        const credential = await makePasskey(await createPasskey(proof))
        onDone(await insertPasskey(name.trim() || t('factor.passkey.unnamed'), credential))
      }}
      onClose={onClose}
    >
      <TextField
        label={t('factor.passkey.name')}
        name="name"
        autoComplete="off"
        maxLength={LONGEST_NAME}
        optional
        value={name}
        onChange={setName}
        hint={t('factor.passkey.name.hint')}
      />
    </SecuritySheet>
  )
}
