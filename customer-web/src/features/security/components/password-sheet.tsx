import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { minLength, object, string } from 'zod/mini'
import { Button } from '@/ui/button'
import { FormField } from '@/ui/form/form-field'
import { PasswordField } from '@/ui/form/password-field'
import { failureText, toFailure } from '@/ui/form/problems'
import { showRefusal } from '@/ui/form/show-refusal'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { ContactFirstSheet } from './contact-first-sheet'
import styles from './security.module.css'

export type PasswordSheetProps = {
  title: string
  text: string
  confirmLabel: string
  danger?: boolean
  run: (password: string) => Promise<void>
  /** Shows a refusal at a field of the children; returns whether it did. */
  refuse?: (error: unknown) => boolean
  onClose: () => void
  /** Fields above the password. */
  children?: ReactNode
}

const schema = object({ password: string().check(minLength(1, 'field.required')) })

/** Asks for the log-in password before a change that needs no code. */
export function PasswordSheet(props: PasswordSheetProps) {
  return (
    <ContactFirstSheet title={props.title} onClose={props.onClose}>
      <FormSheet {...props} />
    </ContactFirstSheet>
  )
}

function FormSheet(props: PasswordSheetProps) {
  const { title, text, confirmLabel, danger, run, refuse, onClose, children } = props
  const { t } = useTranslation()
  const id = useId()
  const form = useSchemaForm(schema, { password: '' })
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      await run(password)
    } catch (error) {
      if (refuse?.(error)) return
      if (showRefusal(form, error, { 'login.password_wrong': 'password' })) return
      form.setError('root', { message: failureText(toFailure(error)) ?? '' })
    }
  })
  const { isSubmitting, errors } = form.formState
  return (
    <Sheet
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={isSubmitting}>
            {t('factor.cancel')}
          </Button>
          <Button
            type="submit"
            form={id}
            size="large"
            variant={danger ? 'danger' : 'primary'}
            busy={isSubmitting}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.sheet} noValidate onSubmit={submit}>
        <p>{text}</p>
        {children}
        <FormField control={form.control} name="password">
          {(field) => (
            <PasswordField
              label={t('payment_password.login')}
              autoComplete="current-password"
              {...field}
            />
          )}
        </FormField>
        {errors.root?.message && <Note tone="error">{errors.root.message}</Note>}
      </form>
    </Sheet>
  )
}
