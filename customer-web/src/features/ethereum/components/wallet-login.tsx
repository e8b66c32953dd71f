import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { FactorStep } from '@/features/account/components/factor-step'
import { restrictionIn } from '@/features/restriction/api/refusal'
import { LazyRestrictionNote } from '@/features/restriction/components/restrictions'
import { Button } from '@/ui/button'
import formStyles from '@/ui/form/form.module.css'
import { toFailure } from '@/ui/form/problems'
import { useWalletLogin } from '../model/use-wallet-login'
import styles from './wallet.module.css'
import { WalletList } from './wallet-list'
import { WalletProblemNote } from './wallet-problem'
import { WalletRegisterForm } from './wallet-register-form'

export type WalletLoginProps = {
  invitation?: string
  termsPath?: string | undefined
  onDone: (session: Wire['Session']) => void
  /** Goes to the log-in with a password. */
  onLogin: () => void
}

/** Logs in with an Ethereum wallet, or opens an account with one. */
export default function WalletLogin({ invitation, termsPath, onDone, onLogin }: WalletLoginProps) {
  const { t } = useTranslation()
  const [opening, setOpening] = useState(false)
  const login = useWalletLogin(onDone)
  const { step, busy, problem, unlinked, factorForm } = login
  const restriction = restrictionIn(problem ? toFailure(problem) : null)
  const startOver = () => {
    setOpening(false)
    login.startOver()
  }
  const note = restriction ? (
    <LazyRestrictionNote restriction={restriction} tone="error" />
  ) : (
    problem && <WalletProblemNote error={problem} />
  )

  if (unlinked && opening)
    return (
      <WalletRegisterForm
        signed={unlinked}
        signAgain={login.signAgain}
        invitation={invitation ?? ''}
        termsPath={termsPath}
        onDone={onDone}
        onStartOver={startOver}
      />
    )
  if (unlinked)
    return (
      <div className={styles.flow}>
        <h2 className={styles.title}>{t('ethereum.unknown.title')}</h2>
        <p className={formStyles.lead}>{t('ethereum.unknown.text')}</p>
        <Button variant="primary" size="large" block onClick={() => setOpening(true)}>
          {t('ethereum.unknown.open')}
        </Button>
        <Button size="large" block onClick={onLogin}>
          {t('ethereum.unknown.link')}
        </Button>
        <Button variant="text" block onClick={startOver}>
          {t('ethereum.other')}
        </Button>
      </div>
    )
  if (factorForm.factors)
    return (
      <form className={formStyles.form} noValidate onSubmit={login.submitFactor}>
        <FactorStep form={factorForm} onDone={onDone} />
        {note}
        <Button variant="text" block onClick={startOver}>
          {t('ethereum.other')}
        </Button>
      </form>
    )
  return (
    <div className={styles.flow}>
      <p className={formStyles.lead}>{t('ethereum.lead')}</p>
      <WalletList disabled={busy} onChoose={({ provider }) => login.choose(provider)} />
      <p role="status" className={formStyles.lead}>
        {step ? t(`ethereum.step.${step}`) : busy ? t('ethereum.step.checking') : ''}
      </p>
      {note}
    </div>
  )
}
