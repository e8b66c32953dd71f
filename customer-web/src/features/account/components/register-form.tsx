import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Wire } from '@/api/client'
import { Button } from '@/ui/button'
import { CheckField } from '@/ui/form/check-field'
import styles from '@/ui/form/form.module.css'
import { failureText, problemText } from '@/ui/form/problems'
import { TextField } from '@/ui/form/text-field'
import { useFocusInvalid } from '@/ui/form/use-focus-invalid'
import { Note } from '@/ui/note'
import { useCountries } from '../api/countries'
import { useRegister } from '../model/use-register'
import { CodeFormFields } from './code-form-fields'
import { CountryField } from './country-field'

export type RegisterFormProps = {
  /** The invitation code in the address; may be empty. */
  invitation: string
  /** The path of the terms and the risk warning, if that screen exists. */
  termsPath?: string | undefined
  onDone: (session: Wire['Session']) => void
}

/** The registration form: contact and code, password, country, and the two checkboxes required by law. */
export function RegisterForm({ invitation, termsPath, onDone }: RegisterFormProps) {
  const { t } = useTranslation()
  const form = useRegister(invitation, onDone)
  const ref = useFocusInvalid(form.problems)
  const { draft, change, problems, failure } = form

  return (
    <form
      ref={ref}
      className={styles.form}
      noValidate
      onFocus={form.prepare}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.busy) void form.submit()
      }}
    >
      <CodeFormFields
        form={form}
        around={ref}
        sentText={(minutes) => t('session.code.sent', { minutes })}
      />
      <CountryField
        label={t('session.country')}
        useList={useCountries}
        value={draft.country}
        onChange={(country) => change({ country })}
        error={problemText(problems.country)}
      />
      <TextField
        label={t('register.invitation')}
        optional
        name="invitation"
        autoComplete="off"
        ltr
        maxLength={32}
        value={draft.invitation}
        onChange={(invited) => change({ invitation: invited })}
        error={problemText(problems.invitationCode)}
      />
      <div className={styles.boxes}>
        <CheckField
          checked={draft.adult}
          onChange={(adult) => change({ adult })}
          error={problemText(problems.adult)}
        >
          {t('register.adult')}
        </CheckField>
        <CheckField
          checked={draft.terms}
          onChange={(terms) => change({ terms })}
          error={problemText(problems.terms)}
        >
          {t('register.terms')}{' '}
          {termsPath && <Link to={termsPath}>{t('register.terms.read')}</Link>}
        </CheckField>
      </div>
      {failure && <Note tone="error">{failureText(failure)}</Note>}
      <Button type="submit" variant="primary" size="large" block busy={form.busy === 'submit'}>
        {t('register.submit')}
      </Button>
    </form>
  )
}
