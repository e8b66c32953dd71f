import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { object } from 'zod/mini'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import type { MoneyOut } from '../api/writes'
import { emptyProof, type Proof, proofFields, useProof } from '../model/use-proof'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'

export type ProofSheetProps = {
  act: MoneyOut
  title: string
  /** What happens. */
  text: string
  keepLabel: string
  confirmLabel: string
  /** The success message. */
  done: string
  danger?: boolean
  busy: boolean
  run: (proof: Proof, then: { onSuccess: () => void; onError: (error: unknown) => void }) => void
  paymentPath?: string | undefined
  onClose: () => void
  /** The details of the payee. */
  children?: ReactNode
}

const schema = object(proofFields)

/** Confirms a change to the payees, with the trader's proof. */
export function ProofSheet(props: ProofSheetProps) {
  const { act, title, text, keepLabel, confirmLabel, done, danger, busy, run, onClose } = props
  const id = useId()
  const form = useSchemaForm(schema, emptyProof)
  const proof = useProof(form, act)
  const [failure, setFailure] = useState<unknown>(null)

  const confirm = proof.submit((values) => {
    if (busy) return
    setFailure(null)
    run(values, {
      onSuccess: () => {
        toast.success(done)
        onClose()
      },
      onError: (error) => {
        if (!proof.refuse(error)) setFailure(error)
      },
    })
  })
  const submit = (event: FormEvent) => {
    // The sheet may be opened from inside another form.
    event.stopPropagation()
    void confirm(event)
  }

  return (
    <Sheet
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={busy}>
            {keepLabel}
          </Button>
          <Button
            type="submit"
            form={id}
            size="large"
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={proof.unset}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.sheet} onSubmit={submit} noValidate>
        {props.children}
        <p>{text}</p>
        <ProofFields proof={proof} paymentPath={props.paymentPath} />
        {failure !== null && <FailureNote error={failure} />}
      </form>
    </Sheet>
  )
}
