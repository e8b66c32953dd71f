import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minLength, object, string, trim } from 'zod/mini'
import { PictureField } from '@/features/picture/components/picture-field'
import { StageBar } from '@/features/picture/components/stage-bar'
import { usePicture } from '@/features/picture/model/use-picture'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { toast } from '@/ui/toast/toast-store'
import type { Deposit } from '../api/deposits'
import { useSendProviderDepositStatement } from '../model/use-send-provider-deposit-statement'

export type ProviderDepositFormProps = {
  deposit: Deposit
  /** `paid` reports a payment; `appeal` disputes one that was not credited. */
  mode: 'paid' | 'appeal'
}

/** The server accepts 1,000 characters. */
const LONGEST = 1000

const schemas = {
  paid: object({ appeal: string() }),
  appeal: object({
    appeal: string().check(trim(), minLength(1, 'deposit.appeal.missing')),
  }),
}

const stageTexts = {
  uploading: 'picture.uploading',
  handing_in: 'deposit.proof.handing_in',
  checking: 'deposit.checking',
} as const

/** The statement about a payment over the counter: a picture as proof, and for an appeal a text as well. */
export function ProviderDepositForm({ deposit, mode }: ProviderDepositFormProps) {
  const { t } = useTranslation()
  const chosen = usePicture({ pdf: true })
  const form = useSchemaForm(schemas[mode], { appeal: '' })
  const [failure, setFailure] = useState<unknown>(null)
  const sending = useSendProviderDepositStatement(deposit.rechargeId)
  const { picture, preparing } = chosen
  const proved = picture !== null || (mode === 'appeal' && deposit.proofAt !== undefined)

  const submit = form.handleSubmit(({ appeal }) => {
    if (sending.isPending) return
    setFailure(null)
    sending.mutate(
      { picture: picture ?? undefined, appeal: mode === 'appeal' ? appeal : undefined },
      {
        onSuccess: () => toast.success(t(`deposit.${mode}.done`)),
        onError: (error) => {
          if (!showRefusal(form, error)) setFailure(error)
        },
      },
    )
  })

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <section className={styles.block}>
        <h2>{t(`deposit.${mode}.title`)}</h2>
        <p className={styles.text}>{t(`deposit.${mode}.text`)}</p>
        {mode === 'appeal' && (
          <FormField control={form.control} name="appeal">
            {(field) => (
              <TextField
                label={t('deposit.appeal.label')}
                autoComplete="off"
                rows={4}
                maxLength={LONGEST}
                {...field}
              />
            )}
          </FormField>
        )}
        <PictureField
          chosen={chosen}
          facing="environment"
          busy={sending.isPending}
          onPick={() => setFailure(null)}
        />
        {failure !== null && <FailureNote error={failure} />}
      </section>
      <div className={styles.actions}>
        {preparing && <StageBar text={t('picture.preparing')} />}
        {sending.stage && <StageBar text={t(stageTexts[sending.stage])} />}
        <Button
          type="submit"
          variant="primary"
          size="large"
          block
          disabled={preparing || !proved}
          busy={sending.isPending}
        >
          {t(`deposit.${mode}.send`)}
        </Button>
      </div>
    </form>
  )
}
