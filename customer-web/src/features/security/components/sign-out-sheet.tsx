import { type FormEvent, useId, useState } from 'react'
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
import { type Device, deleteDevice } from '../api/guard'
import { confirmCode, confirmFields } from '../model/use-confirm'
import { emptySecurityProof, useSecurityConfirm } from '../model/use-security-proof'
import { ConfirmField } from './confirm-field'
import { DeviceWords } from './device-list'
import styles from './security.module.css'

export type SignOutSheetProps = {
  /** All others without one. */
  device: Device | null
  onDone: () => void
  onClose: () => void
}

/** Says what signing a device out means, and asks for the second factor or the log-in password. */
export function SignOutSheet({ device, onDone, onClose }: SignOutSheetProps) {
  const { t } = useTranslation()
  const id = useId()
  const { form, confirm, byFactor, preferPassword, submit } = useSignOut(device, onDone)
  const { isSubmitting, errors } = form.formState
  const removes = device !== null && !device.active
  return (
    <Sheet
      open
      title={device ? (removes ? t('device.ask_remove') : t('device.ask')) : t('device.ask_others')}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={isSubmitting}>
            {t('factor.cancel')}
          </Button>
          <Button type="submit" form={id} size="large" variant="danger" busy={isSubmitting}>
            {removes ? t('device.remove') : t('device.sign_out')}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.sheet} noValidate onSubmit={submit}>
        {device && (
          <div className={styles.subject}>
            <DeviceWords device={device} />
          </div>
        )}
        <ul className={styles.means}>
          {!removes && <li>{device ? t('device.means.out') : t('device.means.others')}</li>}
          <li>{t('device.means.code')}</li>
          <li>{t('device.means.orders')}</li>
        </ul>
        {byFactor ? (
          <>
            <FormField control={form.control} name="validCode">
              {(field) => (
                <ConfirmField recovery confirm={confirm} field={field} onSend={() => {}} />
              )}
            </FormField>
            <Button variant="text" size="small" onClick={preferPassword}>
              {t('device.use_password')}
            </Button>
          </>
        ) : (
          <FormField control={form.control} name="password">
            {(field) => (
              <PasswordField
                label={t('payment_password.login')}
                autoComplete="current-password"
                {...field}
              />
            )}
          </FormField>
        )}
        {errors.root?.message && <Note tone="error">{errors.root.message}</Note>}
      </form>
    </Sheet>
  )
}

/** The form: confirmed by the second factor where there is one, unless the trader prefers the password. */
function useSignOut(device: Device | null, onDone: () => void) {
  const confirm = useSecurityConfirm('remove_device')
  const [typesPassword, setTypesPassword] = useState(false)
  const byFactor = confirm.method !== 'sent' && !typesPassword
  const form = useSchemaForm(
    object({
      password: byFactor ? string() : string().check(minLength(1, 'field.required')),
      validCode: byFactor ? confirmCode(confirm.method) : string(),
    }),
    emptySecurityProof,
  )
  const refuse = (error: unknown) => {
    if (confirm.closed(error)) return
    const failed = toFailure(error)
    if (failed.code && failed.code in confirmFields) {
      confirm.forget()
      form.setValue('validCode', '')
    }
    const fields = { 'login.password_wrong': 'password', ...confirmFields } as const
    if (!showRefusal(form, error, fields))
      form.setError('root', { message: failureText(failed) ?? '' })
  }
  const submit = (event: FormEvent) =>
    form.handleSubmit(async ({ password, validCode }) => {
      try {
        const proof = byFactor ? { validCode: await confirm.resolve(validCode) } : { password }
        await deleteDevice({ ...proof, ...(device ? { deviceId: device.deviceId } : {}) })
        onDone()
      } catch (error) {
        refuse(error)
      }
    })(event)
  const preferPassword = () => {
    form.clearErrors()
    setTypesPassword(true)
  }
  return { form, confirm, byFactor, preferPassword, submit }
}
