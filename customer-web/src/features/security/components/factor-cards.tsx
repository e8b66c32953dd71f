import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeysSupported } from '@/features/passkey/model/passkey'
import { formatDate } from '@/format/time'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { useTimeStyle } from '@/ui/time-text'
import type { Factors } from '../api/factors'
import { PasskeyRow } from './passkey-row'
import styles from './security.module.css'

/** The sheet that is open. */
export type FactorSheet =
  | { kind: 'add_passkey' | 'authenticator' | 'remove_authenticator' | 'recovery' }
  | { kind: 'remove_passkey' | 'rename_passkey'; passkey: Factors['passkeys'][number] }

export type FactorCardsProps = {
  factors: Factors
  onOpen: (sheet: FactorSheet) => void
}

/** Passkeys, authenticator and recovery codes, each with what can be done. */
export function FactorCards({ factors, onOpen }: FactorCardsProps) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const [supported] = useState(passkeysSupported)
  const { authenticatorAt, passkeys, recoveryCodes } = factors
  const any = authenticatorAt !== undefined || passkeys.length > 0
  return (
    <div className={styles.flow}>
      {!any && <Note>{t('factor.none')}</Note>}
      <section className={styles.block}>
        <h2 className={styles.head}>
          <Icon name="key" size={20} />
          {t('factor.passkeys')}
        </h2>
        <p className={styles.small}>{t('factor.passkeys.about')}</p>
        {passkeys.length > 0 && (
          <ul className={styles.factors}>
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.passkeyId} passkey={passkey} onOpen={onOpen} />
            ))}
          </ul>
        )}
        {supported ? (
          <div>
            <Button onClick={() => onOpen({ kind: 'add_passkey' })}>
              {t('factor.passkey.add')}
            </Button>
          </div>
        ) : (
          <p className={styles.small}>{t('factor.passkeys.unsupported')}</p>
        )}
      </section>
      <section className={styles.block}>
        <h2 className={styles.head}>
          <Icon name="device" size={20} />
          {t('factor.authenticator')}
        </h2>
        <p className={styles.small}>
          {authenticatorAt === undefined
            ? t('factor.authenticator.about')
            : t('factor.authenticator.since', { date: formatDate(authenticatorAt, timeStyle) })}
        </p>
        <div className={styles.actions}>
          <Button onClick={() => onOpen({ kind: 'authenticator' })}>
            {authenticatorAt === undefined
              ? t('factor.authenticator.set')
              : t('factor.authenticator.another')}
          </Button>
          {authenticatorAt !== undefined && (
            <Button variant="text" onClick={() => onOpen({ kind: 'remove_authenticator' })}>
              {t('factor.remove')}
            </Button>
          )}
        </div>
      </section>
      {any && (
        <section className={styles.block}>
          <h2 className={styles.head}>
            <Icon name="copy" size={20} />
            {t('factor.recovery')}
          </h2>
          <p className={styles.small}>{t('factor.recovery.left', { count: recoveryCodes })}</p>
          {recoveryCodes < 3 && <Note tone="warning">{t('factor.recovery.few')}</Note>}
          <div>
            <Button onClick={() => onOpen({ kind: 'recovery' })}>{t('factor.recovery.new')}</Button>
          </div>
        </section>
      )}
    </div>
  )
}
