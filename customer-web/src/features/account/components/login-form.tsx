import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Wire } from '@/api/client'
import { restrictionIn } from '@/features/restriction/api/refusal'
import { LazyRestrictionNote } from '@/features/restriction/components/restrictions'
import { useSwitch } from '@/features/switches/api/front-config'
import { formatCountdown } from '@/format/countdown'
import { maskName } from '@/storage/mask-name'
import { useDesktop } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/form/code-field'
import styles from '@/ui/form/form.module.css'
import { FormField } from '@/ui/form/form-field'
import { PasswordField } from '@/ui/form/password-field'
import { failureText } from '@/ui/form/problems'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import type { Contact, ContactState } from '../model/contact'
import { startContact } from '../model/use-contact-schema'
import { useLogin } from '../model/use-login'
import { ContactField } from './contact-field'
import { FactorStep } from './factor-step'
import { PasskeyButton } from './passkey-button'
import { type WalletLogin, WalletWay } from './wallet-way'

export type LoginFormProps = {
  /** The prefilled contact. */
  contact?: Contact | undefined
  /** The path of the forgotten-password page, if it can be reached from here. */
  forgotPath?: string
  /** The path of the terms, for an account that a wallet opens. */
  termsPath?: string | undefined
  /** The log-in with an Ethereum wallet, where it can be offered. */
  WalletLogin?: WalletLogin
  onDone: (session: Wire['Session']) => void
}

/** Account and password, plus the second factor or the code on a new device; or a passkey or an Ethereum wallet. */
export function LoginForm({ contact, termsPath, WalletLogin, ...props }: LoginFormProps) {
  const [wallet, setWallet] = useState(false)
  const [kind, setKind] = useState<Contact['kind'] | null>(null)
  const on = useSwitch('web3_login.enabled')
  if (wallet && on && WalletLogin)
    return (
      <WalletWay
        Login={WalletLogin}
        termsPath={termsPath}
        onWay={(way) => {
          setWallet(way === 'wallet')
          if (way !== 'wallet') setKind(way)
        }}
        onDone={props.onDone}
        onLogin={() => setWallet(false)}
      />
    )
  const start = kind ? { ...startContact(contact), kind } : contact
  return <PasswordForm contact={start} onWallet={() => setWallet(true)} {...props} />
}

type PasswordFormProps = Omit<LoginFormProps, 'termsPath' | 'WalletLogin'> & {
  onWallet: () => void
}

function PasswordForm({ contact, forgotPath, onWallet, onDone }: PasswordFormProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const form = useLogin(contact, onDone)
  const { credentials, failure, throttleLeft, codeSent, sending } = form
  const throttled = failure?.code === 'login.too_many'
  const restriction = restrictionIn(failure)

  return (
    <form className={styles.form} noValidate onSubmit={form.submit}>
      {credentials && form.factors ? (
        <FactorStep form={form} onDone={onDone} />
      ) : credentials ? (
        <>
          {form.codeFirst ? (
            <Note tone="error">{t('error.login.code_first')}</Note>
          ) : (
            <p className={styles.lead}>
              {t('login.code.why')} <Num>{maskName(credentials.account)}</Num>
            </p>
          )}
          <FormField control={form.proof.control} name="validCode">
            {(field) => (
              <CodeField
                again={codeSent !== null}
                wait={form.resendLeft}
                sending={sending}
                onSend={() => void form.sendCode(credentials)}
                hint={
                  codeSent
                    ? t('session.code.sent', { minutes: Math.round(codeSent.expiresAfter / 60) })
                    : sending || (form.codeFirst && form.resendLeft === 0)
                      ? undefined
                      : t('login.code.before')
                }
                autoFocus
                {...field}
              />
            )}
          </FormField>
        </>
      ) : (
        <>
          <FormField control={form.access.control} name="account">
            {(field) => (
              <ContactField autoFocus={desktop && !contact} onWallet={onWallet} {...field} />
            )}
          </FormField>
          <FormField control={form.access.control} name="password">
            {(field) => (
              <PasswordField
                autoComplete="current-password"
                autoFocus={desktop && contact !== undefined}
                {...field}
              />
            )}
          </FormField>
          {forgotPath && (
            <Link
              to={forgotPath}
              state={{ contact: form.access.watch('account') } satisfies ContactState}
              className={styles.forgot}
            >
              {t('login.forgot')}
            </Link>
          )}
        </>
      )}

      {throttled ? (
        throttleLeft > 0 && <Note tone="error">{t('login.throttled')}</Note>
      ) : restriction ? (
        <LazyRestrictionNote restriction={restriction} tone="error" />
      ) : (
        failure && <Note tone="error">{failureText(failure)}</Note>
      )}

      {!form.factors && (
        <Button
          type="submit"
          variant="primary"
          size="large"
          block
          disabled={throttleLeft > 0}
          busy={form.submitting}
        >
          {throttleLeft > 0
            ? t('login.wait', { time: formatCountdown(throttleLeft) })
            : credentials
              ? t('login.confirm')
              : t('login.submit')}
        </Button>
      )}
      {!credentials && <PasskeyButton onDone={onDone} />}
      {credentials && (
        <Button variant="text" block onClick={form.startOver}>
          {t('login.code.other')}
        </Button>
      )}
    </form>
  )
}
