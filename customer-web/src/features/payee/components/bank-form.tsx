import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minLength, object, overwrite, refine, string, trim } from 'zod/mini'
import { CallFailure } from '@/api/client'
import { compact, isBic, isIban } from '@/format/iban'
import { Button } from '@/ui/button'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { useBindBankAccount } from '../api/banks'
import { refreshAddressBook } from '../api/payees'
import { emptyProof, proofFields, useProof } from '../model/use-proof'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'
import { SavingFailure } from './saving-failure'

export type BankFormProps = {
  paymentPath?: string | undefined
  /** The path of the saved bank accounts. */
  listPath: string
  onDone: () => void
}

const NAME_LENGTH = 70
const LABEL_LENGTH = 40
const name = string().check(trim(), minLength(1, 'field.required'))

const schema = object({
  holder: name,
  bank: name,
  iban: string().check(
    overwrite(compact),
    minLength(1, { error: 'field.required', abort: true }),
    refine(isIban, 'field.iban'),
  ),
  bic: string().check(
    overwrite(compact),
    minLength(1, { error: 'field.required', abort: true }),
    refine(isBic, 'field.bic'),
  ),
  label: name,
  ...proofFields,
})
const empty = { holder: '', bank: '', iban: '', bic: '', label: '', ...emptyProof }

/** The form for a new bank account: holder, bank, label, and the trader's proof. */
export function BankForm({ paymentPath, listPath, onDone }: BankFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useSchemaForm(schema, empty)
  const place = compact(form.watch('iban'))
  const proof = useProof(form, place ? { act: 'save_account', place } : null)
  const [failure, setFailure] = useState<unknown>(null)
  const [checking, setChecking] = useState(false)
  const write = useBindBankAccount(() => setChecking(true))

  const refuse = (error: unknown) => {
    if (proof.refuse(error)) return
    if (error instanceof CallFailure && error.code === 'payee.only_saved') {
      void refreshAddressBook(client) // the whitelist was switched on elsewhere
    }
    if (!showRefusal(form, error)) setFailure(error)
  }

  const submit = proof.submit((account) => {
    if (write.isPending) return
    setFailure(null)
    write.mutate(account, {
      onSuccess: onDone,
      onError: refuse,
      onSettled: () => setChecking(false),
    })
  })

  type Text = Pick<
    ComponentProps<typeof TextField>,
    'label' | 'autoComplete' | 'maxLength' | 'ltr' | 'className' | 'hint'
  >
  const text = (field: Exclude<keyof typeof empty, keyof typeof emptyProof>, props: Text) => (
    <FormField control={form.control} name={field}>
      {(bound) => <TextField {...props} {...bound} />}
    </FormField>
  )

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {text('holder', {
        label: t('deposit.transfer.holder'),
        autoComplete: 'name',
        maxLength: NAME_LENGTH,
        hint: t('payee.bank.holder.hint'),
      })}
      {text('bank', {
        label: t('deposit.transfer.bank'),
        autoComplete: 'off',
        maxLength: NAME_LENGTH,
      })}
      {text('iban', {
        label: t('deposit.transfer.iban'),
        autoComplete: 'off',
        ltr: true,
        className: styles.typed,
        hint: t('payee.bank.iban.hint'),
      })}
      {text('bic', {
        label: t('deposit.transfer.bic'),
        autoComplete: 'off',
        ltr: true,
        className: styles.typed,
      })}
      {text('label', {
        label: t('payee.bank.label'),
        autoComplete: 'off',
        maxLength: LABEL_LENGTH,
        hint: t('payee.bank.label.hint'),
      })}
      <Note>{t('payee.bank.add.wait')}</Note>
      <ProofFields proof={proof} paymentPath={paymentPath} />
      {failure !== null && <SavingFailure error={failure} listPath={listPath} />}
      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        busy={write.isPending}
        disabled={proof.unset}
      >
        {t(checking ? 'deposit.checking' : 'payee.bank.add.submit')}
      </Button>
    </form>
  )
}
