import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { type Account, useEditAccount } from '../api/accounts'
import { AccountFields, settingsShape } from './account-fields'
import styles from './account-fields.module.css'

export type EditAccountSheetProps = { account: Account; onClose: () => void }

const schema = object(settingsShape)

/** Changes an account's name and leverage ceiling. */
export function EditAccountSheet({ account, onClose }: EditAccountSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const { name, leverageCeiling } = account
  const form = useSchemaForm(schema, { name, leverageCeiling })
  const [failure, setFailure] = useState<unknown>(null)
  const { mutate, isPending } = useEditAccount()

  const submit = form.handleSubmit((values) => {
    if (isPending) return
    setFailure(null)
    mutate(
      { account, name: values.name.trim(), leverageCeiling: values.leverageCeiling },
      {
        onSuccess: () => {
          toast.success(t('switch_account.edited'))
          onClose()
        },
        onError: (error) => {
          if (!showRefusal(form, error)) setFailure(error)
        },
      },
    )
  })

  return (
    <Sheet
      open
      title={t('switch_account.edit.title')}
      onClose={() => !isPending && onClose()}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={isPending}>
            {t('switch_account.cancel')}
          </Button>
          <Button type="submit" form={formId} size="large" variant="primary" busy={isPending}>
            {t('switch_account.edit.save')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={submit}>
        <AccountFields control={form.control} present={leverageCeiling} />
        {failure !== null && <FailureNote error={failure} />}
      </form>
    </Sheet>
  )
}
