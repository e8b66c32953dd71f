import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemText, toFailure } from '@/ui/form/problems'
import { TextField } from '@/ui/form/text-field'
import { updatePhrase } from '../api/guard'
import type { Security } from '../api/security'
import { PasswordSheet } from './password-sheet'

export type PhraseSheetProps = {
  /** A phrase is set. */
  set: boolean
  onDone: (security: Security) => void
  onClose: () => void
}

/** Sets the phrase that every mail starts with, or removes it by an empty one. */
export function PhraseSheet({ set, onDone, onClose }: PhraseSheetProps) {
  const { t } = useTranslation()
  const [phrase, setPhrase] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <PasswordSheet
      title={t('phrase.title')}
      text={t('phrase.text')}
      confirmLabel={set && phrase.trim() === '' ? t('phrase.remove') : t('phrase.save')}
      run={async (password) => onDone(await updatePhrase({ phrase, password }))}
      refuse={(error) => {
        const key = toFailure(error).fields.phrase
        setProblem(problemText(key))
        return key !== undefined
      }}
      onClose={onClose}
    >
      <TextField
        label={t('phrase.label')}
        name="phrase"
        autoComplete="off"
        maxLength={40}
        value={phrase}
        onChange={(text) => {
          setPhrase(text)
          setProblem(undefined)
        }}
        error={problem}
        hint={set ? t('phrase.hint.set') : t('phrase.hint')}
      />
    </PasswordSheet>
  )
}
