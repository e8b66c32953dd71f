import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { useSecurity } from '@/features/security/api/security'
import { compact, isBic, isIban } from '@/format/iban'
import { Button } from '@/ui/button'
import { type Problems, problemText } from '@/ui/form/problems'
import { TextField } from '@/ui/form/text-field'
import { useFocusInvalid } from '@/ui/form/use-focus-invalid'
import { Note } from '@/ui/note'
import { useBindBankAccount } from '../api/banks'
import { refreshAddressBook } from '../api/payees'
import { useProof } from '../model/use-proof'
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
const nothing = { holder: '', bank: '', iban: '', bic: '', label: '' }
type Draft = typeof nothing

/** The problems of a draft by field. */
function problemsOf(draft: Draft): Problems {
  const found: Problems = {}
  for (const [field, value] of Object.entries(draft)) {
    if (value.trim() === '') found[field] = 'field.required'
  }
  if (!found.iban && !isIban(draft.iban)) found.iban = 'field.iban'
  if (!found.bic && !isBic(draft.bic)) found.bic = 'field.bic'
  return found
}

/** The form for a new bank account: holder, bank, label, and the trader's proof. */
export function BankForm({ paymentPath, listPath, onDone }: BankFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const unset = useSecurity().data?.payPasswordSet === false
  const [draft, setDraft] = useState(nothing)
  const place = compact(draft.iban)
  const proof = useProof(place ? { act: 'save_account', place } : null)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [checking, setChecking] = useState(false)
  const write = useBindBankAccount(() => setChecking(true))
  const form = useFocusInvalid(problems)

  /** Binds a field to the draft; typing clears the field's problem and the failure. */
  const field = (name: keyof Draft) => ({
    name,
    value: draft[name],
    onChange: (value: string) => {
      setDraft({ ...draft, [name]: value })
      const { [name]: _, ...others } = problems
      setProblems(others)
    },
    error: problemText(problems[name]),
  })

  const refuse = (error: unknown) => {
    if (proof.refuse(error)) return
    if (error instanceof CallFailure && error.code === 'payee.only_saved') {
      void refreshAddressBook(client) // the whitelist was switched on elsewhere
    }
    const fields = error instanceof CallFailure ? error.fields : {}
    setProblems(fields)
    if (!Object.keys(fields).some((name) => name in draft)) setFailure(error)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending || unset) return
    const found = problemsOf(draft)
    setProblems(found)
    setFailure(null)
    if (!proof.check() || Object.keys(found).length > 0) return
    const { payPassword, validCode } = proof
    write.mutate(
      {
        holder: draft.holder.trim(),
        bank: draft.bank.trim(),
        iban: place,
        bic: compact(draft.bic),
        label: draft.label.trim(),
        payPassword,
        validCode,
      },
      { onSuccess: onDone, onError: refuse, onSettled: () => setChecking(false) },
    )
  }

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t('deposit.transfer.holder')}
        autoComplete="name"
        maxLength={NAME_LENGTH}
        hint={t('payee.bank.holder.hint')}
        {...field('holder')}
      />
      <TextField
        label={t('deposit.transfer.bank')}
        autoComplete="off"
        maxLength={NAME_LENGTH}
        {...field('bank')}
      />
      <TextField
        label={t('deposit.transfer.iban')}
        autoComplete="off"
        ltr
        className={styles.typed}
        hint={t('payee.bank.iban.hint')}
        {...field('iban')}
      />
      <TextField
        label={t('deposit.transfer.bic')}
        autoComplete="off"
        ltr
        className={styles.typed}
        {...field('bic')}
      />
      <TextField
        label={t('payee.bank.label')}
        autoComplete="off"
        maxLength={LABEL_LENGTH}
        hint={t('payee.bank.label.hint')}
        {...field('label')}
      />
      <Note>{t('payee.bank.add.wait')}</Note>
      <ProofFields proof={proof} paymentPath={paymentPath} />
      {failure !== null && <SavingFailure error={failure} listPath={listPath} />}
      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        busy={write.isPending}
        disabled={unset}
      >
        {t(checking ? 'deposit.checking' : 'payee.bank.add.submit')}
      </Button>
    </form>
  )
}
