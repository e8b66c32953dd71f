import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import { CodeFormFields } from '@/features/account/components/code-form-fields'
import type { Contact } from '@/features/account/model/contact'
import { codeFields, emptyCodeFields, useCodeForm } from '@/features/account/model/use-code-form'
import { startContact, useContactSchema } from '@/features/account/model/use-contact-schema'
import { sendContactCode, updateContact } from '@/features/security/api/guard'
import type { Security } from '@/features/security/api/security'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { failureText } from '@/ui/form/problems'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { WalletFailure } from '../model/provider'
import { useConfirmingWallet } from '../model/use-confirming-wallet'
import { WalletConfirmation } from './wallet-confirmation'

export type FirstContactFormProps = {
  kind: Contact['kind']
  /** The linked wallet, which confirms the contact. */
  wallet: string
  onDone: (security: Security) => void
}

/** Binds the first contact of an account that a wallet opened, with a login password. The wallet confirms it. */
export function FirstContactForm({ kind, wallet, onDone }: FirstContactFormProps) {
  const { t } = useTranslation()
  const contactSchema = useContactSchema()
  const confirming = useConfirmingWallet(wallet)
  const whole = useSchemaForm(object({ account: contactSchema, ...codeFields }), {
    account: { ...startContact(), kind },
    ...emptyCodeFields,
  })
  const form = useCodeForm(whole, {
    contactSchema,
    sendTo: (account) => sendContactCode(account),
    send: async ({ account, validCode: contactCode, password }) => {
      const signed = await confirming.sign(account).catch((error) => {
        if (!(error instanceof WalletFailure)) throw error
      })
      if (signed)
        onDone(
          await updateContact({ account, contactCode, password, validCode: '', wallet: signed }),
        )
    },
  })
  return (
    <form className={styles.form} noValidate onFocus={form.prepare} onSubmit={form.submit}>
      <p className={styles.lead}>{t('contact.first.lead')}</p>
      <CodeFormFields
        form={form}
        sentText={(minutes) => t('session.code.sent', { minutes })}
        passwordLabel={t('contact.first.password')}
      />
      <WalletConfirmation
        wallet={wallet}
        confirming={confirming}
        text={t('ethereum.confirm.first')}
      />
      {form.failure && <Note tone="error">{failureText(form.failure)}</Note>}
      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        busy={form.submitting}
        disabled={!confirming.connected}
      >
        {t('contact.first.submit')}
      </Button>
    </form>
  )
}
