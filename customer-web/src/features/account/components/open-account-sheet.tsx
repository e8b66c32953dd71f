import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { accountName } from '@/session/account-name'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { FailureNote } from '@/ui/failure-note'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useOpenAccount } from '../api/accounts'
import { AccountFields, settingsShape } from './account-fields'
import styles from './account-fields.module.css'

export type OpenAccountSheetProps = {
  /** Demo accounts can be opened. */
  demos: boolean
  onClose: () => void
}

const kinds = ['real', 'demo'] as const
const modes = ['hedging', 'netting'] as const
const schema = object(settingsShape)

/** Opens another account: real or demo, with its name and its rules. */
export function OpenAccountSheet({ demos, onClose }: OpenAccountSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const form = useSchemaForm(schema, { name: '', leverageCeiling: 0 })
  const [kind, setKind] = useState<(typeof kinds)[number]>('real')
  const [mode, setMode] = useState<(typeof modes)[number]>('hedging')
  const [failure, setFailure] = useState<unknown>(null)
  const { mutate, isPending } = useOpenAccount()

  const submit = form.handleSubmit(({ name, leverageCeiling }) => {
    if (isPending) return
    setFailure(null)
    mutate(
      {
        mock: kind === 'demo',
        name: name.trim(),
        leverageCeiling,
        netting: mode === 'netting',
      },
      {
        onSuccess: (opened) => {
          toast.success(
            t('switch_account.opened', {
              name: bidiIsolateAuto(accountName(t, opened, kind === 'demo')),
            }),
          )
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
      title={t('switch_account.another')}
      onClose={() => !isPending && onClose()}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={isPending}>
            {t('switch_account.cancel')}
          </Button>
          <Button type="submit" form={formId} size="large" variant="primary" busy={isPending}>
            {t('switch_account.another.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={submit}>
        {demos && (
          <ChoiceGroup
            label={t('session.account_type')}
            value={kind}
            onChange={setKind}
            options={kinds.map((value) => ({
              value,
              label: t(`session.type.${value}`),
              explanation: t(`switch_account.${value}.about`),
            }))}
          />
        )}
        <AccountFields control={form.control} present={0} />
        <ChoiceGroup
          label={t('account_mode.title')}
          value={mode}
          onChange={setMode}
          columns={1}
          options={modes.map((value) => ({
            value,
            label: t(`account_mode.${value}`),
            explanation: t(`account_mode.${value}.about`),
          }))}
        />
        {failure !== null && <FailureNote error={failure} />}
      </form>
    </Sheet>
  )
}
