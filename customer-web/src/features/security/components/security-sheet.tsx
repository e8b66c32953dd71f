import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import { Button } from '@/ui/button'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import type { SecurityAct, SecurityProof } from '../api/factors'
import {
  emptySecurityProof,
  securityFields,
  useSecurityConfirm,
  useSecurityProof,
} from '../model/use-security-proof'
import { ContactFirstSheet } from './contact-first-sheet'
import styles from './security.module.css'
import { SecurityProofFields } from './security-proof-fields'

export type SecuritySheetProps = {
  act: SecurityAct
  title: string
  text: string
  /** What follows, such as a withdrawal lock. */
  warning?: string
  confirmLabel: string
  danger?: boolean
  run: (proof: SecurityProof) => Promise<void>
  onClose: () => void
  /** Fields above the proof. */
  children?: ReactNode
}

/** Asks for the proof of a change of what guards the account, and makes the change. */
export function SecuritySheet(props: SecuritySheetProps) {
  return (
    <ContactFirstSheet title={props.title} onClose={props.onClose}>
      <ProofSheet {...props} />
    </ContactFirstSheet>
  )
}

function ProofSheet(props: SecuritySheetProps) {
  const { act, title, text, warning, confirmLabel, danger, run, onClose, children } = props
  const { t } = useTranslation()
  const id = useId()
  const confirm = useSecurityConfirm(act)
  const form = useSchemaForm(object(securityFields(confirm.method)), emptySecurityProof)
  const proof = useSecurityProof(form, confirm, run)
  return (
    <Sheet
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={proof.submitting}>
            {t('factor.cancel')}
          </Button>
          <Button
            type="submit"
            form={id}
            size="large"
            variant={danger ? 'danger' : 'primary'}
            busy={proof.submitting}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.sheet} noValidate onSubmit={proof.submit}>
        <p>{text}</p>
        {children}
        <SecurityProofFields proof={proof} />
        {warning && <Note tone="warning">{warning}</Note>}
      </form>
    </Sheet>
  )
}
