import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Wire } from '@/api/client'
import { restrictionIn } from '@/features/restriction/api/refusal'
import { LazyRestrictionNote } from '@/features/restriction/components/restrictions'
import { formatCountdown } from '@/format/countdown'
import { maskName } from '@/storage/mask-name'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/form/code-field'
import styles from '@/ui/form/form.module.css'
import { PasswordField } from '@/ui/form/password-field'
import { failureText, problemText } from '@/ui/form/problems'
import { useFocusInvalid } from '@/ui/form/use-focus-invalid'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import type { Contact, ContactState } from '../model/contact'
import { useLogin } from '../model/use-login'
import { ContactField } from './contact-field'

export type LoginFormProps = {
  /** The prefilled contact. */
  contact?: Contact | undefined
  /** The path of the forgotten-password page, if it can be reached from here. */
  forgotPath?: string
  onDone: (session: Wire['Session']) => void
}

/** Account and password, plus the code on a new device. */
export function LoginForm({ contact, forgotPath, onDone }: LoginFormProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const form = useLogin(contact, onDone)
  const ref = useFocusInvalid(form.problems)
  const { step, problems, failure, throttleLeft, codeSent } = form
  const throttled = failure?.code === 'login.too_many'
  const restriction = restrictionIn(failure)

  return (
    <form
      ref={ref}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (throttleLeft === 0 && !form.busy) void form.submit()
      }}
    >
      {step === 'password' ? (
        <>
          <ContactField
            value={form.contact}
            onChange={form.setContact}
            country={form.country}
            error={problemText(problems.account)}
            autoFocus={desktop && !contact}
          />
          <PasswordField
            value={form.password}
            onChange={form.setPassword}
            autoComplete="current-password"
            error={problemText(problems.password)}
            autoFocus={desktop && contact !== undefined}
          />
          {forgotPath && (
            <Link
              to={forgotPath}
              state={{ contact: form.contact } satisfies ContactState}
              className={styles.forgot}
            >
              {t('login.forgot')}
            </Link>
          )}
        </>
      ) : (
        <>
          {form.codeFirst ? (
            <Note tone="error">{t('error.login.code_first')}</Note>
          ) : (
            <p className={styles.lead}>
              {t('login.code.why')} <Num>{maskName(form.account)}</Num>
            </p>
          )}
          <CodeField
            value={form.code}
            onChange={form.setCode}
            again={codeSent !== null}
            wait={form.resendLeft}
            sending={form.busy === 'code'}
            onSend={() => void form.sendCode()}
            error={problemText(problems.validCode)}
            hint={
              codeSent
                ? t('session.code.sent', { minutes: Math.round(codeSent.expiresAfter / 60) })
                : form.busy === 'code' || (form.codeFirst && form.resendLeft === 0)
                  ? undefined
                  : t('login.code.before')
            }
            autoFocus
          />
        </>
      )}

      {throttled ? (
        throttleLeft > 0 && <Note tone="error">{t('login.throttled')}</Note>
      ) : restriction ? (
        <LazyRestrictionNote restriction={restriction} tone="error" />
      ) : (
        failure && <Note tone="error">{failureText(failure)}</Note>
      )}

      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        disabled={throttleLeft > 0}
        busy={form.busy === 'login'}
      >
        {throttleLeft > 0
          ? t('login.wait', { time: formatCountdown(throttleLeft) })
          : step === 'code'
            ? t('login.confirm')
            : t('login.submit')}
      </Button>
      {step === 'code' && (
        <Button variant="text" block onClick={form.startOver}>
          {t('login.code.other')}
        </Button>
      )}
    </form>
  )
}
