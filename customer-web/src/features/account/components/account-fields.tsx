import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { number, string } from 'zod/mini'
import { FormField } from '@/ui/form/form-field'
import { SelectField } from '@/ui/form/select-field'
import { TextField } from '@/ui/form/text-field'
import { ceilingsWith, ceilingText, LONGEST_NAME } from '../model/account-limits'
import styles from './account-fields.module.css'

/** What a trader can set of every account. */
export type AccountSettings = { name: string; leverageCeiling: number }

/** The schema of the fields. */
export const settingsShape = { name: string(), leverageCeiling: number() }

export type AccountFieldsProps = {
  control: Control<AccountSettings>
  /** The ceiling as it is. */
  present: number
}

/** The name and the leverage ceiling of an account. */
export function AccountFields({ control, present }: AccountFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <FormField control={control} name="name">
        {(field) => (
          <TextField
            label={t('switch_account.form.name')}
            autoComplete="off"
            maxLength={LONGEST_NAME}
            optional
            hint={t('switch_account.form.name.hint', { limit: LONGEST_NAME })}
            {...field}
          />
        )}
      </FormField>
      <FormField control={control} name="leverageCeiling">
        {({ value, onChange }) => (
          <div className={styles.ceiling}>
            <SelectField
              label={t('switch_account.ceiling')}
              value={value}
              options={ceilingsWith(present).map((one) => ({
                value: one,
                text: ceilingText(t, one),
              }))}
              onPick={onChange}
            />
            <p>{t('switch_account.ceiling.hint')}</p>
          </div>
        )}
      </FormField>
    </>
  )
}
