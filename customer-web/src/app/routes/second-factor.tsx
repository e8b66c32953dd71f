import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  createRecoveryCodes,
  deleteAuthenticator,
  deletePasskey,
  factorsQuery,
  useFactors,
} from '@/features/security/api/factors'
import { securityQuery } from '@/features/security/api/security'
import { AddPasskeySheet } from '@/features/security/components/add-passkey-sheet'
import { AuthenticatorSheet } from '@/features/security/components/authenticator-sheet'
import { FactorCards, type FactorSheet } from '@/features/security/components/factor-cards'
import { RecoveryCodesSheet } from '@/features/security/components/recovery-codes-sheet'
import { RenamePasskeySheet } from '@/features/security/components/rename-passkey-sheet'
import { SecuritySheet } from '@/features/security/components/security-sheet'
import { useIsGuest } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'
import { ContactFirst } from '../parts/contact-first'
import { GuardedPage } from '../parts/guarded-page'
import { MockPaymentPasswordNotice } from '../parts/mock-payment-password-notice'
import { Page } from '../parts/page'

/** The second factor: passkeys, an authenticator app, and the recovery codes for a lost one. */
export default function SecondFactor() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return (
    <Page title={t('factor.title')}>
      {guest ? (
        <MockPaymentPasswordNotice />
      ) : (
        <ContactFirst>
          <Guarded />
        </ContactFirst>
      )}
    </Page>
  )
}

function Guarded() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const factors = useFactors()
  const { data } = factors
  const [sheet, setSheet] = useState<FactorSheet | null>(null)
  const [codes, setCodes] = useState<string[]>([])

  const close = () => setSheet(null)
  const done = (message: string, recovery: string[] = []) => {
    close()
    setCodes(recovery)
    toast.success(message)
    void client.invalidateQueries({ queryKey: factorsQuery.queryKey })
    void client.invalidateQueries({ queryKey: securityQuery.queryKey })
  }

  if (!data) return <GuardedPage query={factors}>{() => null}</GuardedPage>
  return (
    <>
      <FactorCards factors={data} onOpen={setSheet} />
      {sheet?.kind === 'add_passkey' && (
        <AddPasskeySheet
          onDone={(recovery) => done(t('factor.passkey.done'), recovery)}
          onClose={close}
        />
      )}
      {sheet?.kind === 'rename_passkey' && (
        <RenamePasskeySheet
          passkey={sheet.passkey}
          onDone={() => done(t('factor.passkey.rename.done'))}
          onClose={close}
        />
      )}
      {sheet?.kind === 'remove_passkey' && (
        <SecuritySheet
          act="remove_passkey"
          title={t('factor.passkey.remove.title')}
          text={t('factor.passkey.remove.text', { name: sheet.passkey.name })}
          warning={t('factor.remove.lock')}
          confirmLabel={t('factor.remove')}
          danger
          run={async (proof) => {
            await deletePasskey(sheet.passkey.passkeyId, proof)
            done(t('factor.passkey.removed'))
          }}
          onClose={close}
        />
      )}
      {sheet?.kind === 'authenticator' && (
        <AuthenticatorSheet
          replaces={data.authenticatorAt !== undefined}
          onDone={(recovery) => done(t('factor.authenticator.done'), recovery)}
          onClose={close}
        />
      )}
      {sheet?.kind === 'remove_authenticator' && (
        <SecuritySheet
          act="remove_authenticator"
          title={t('factor.authenticator.remove.title')}
          text={t('factor.authenticator.remove.text')}
          warning={t('factor.remove.lock')}
          confirmLabel={t('factor.remove')}
          danger
          run={async (proof) => {
            await deleteAuthenticator(proof)
            done(t('factor.authenticator.removed'))
          }}
          onClose={close}
        />
      )}
      {sheet?.kind === 'recovery' && (
        <SecuritySheet
          act="recovery_codes"
          title={t('factor.recovery.new')}
          text={t('factor.recovery.new.text')}
          confirmLabel={t('factor.recovery.create')}
          run={async (proof) => {
            const recovery = await createRecoveryCodes(proof)
            done(t('factor.recovery.created'), recovery)
          }}
          onClose={close}
        />
      )}
      {codes.length > 0 && <RecoveryCodesSheet codes={codes} onDone={() => setCodes([])} />}
    </>
  )
}
