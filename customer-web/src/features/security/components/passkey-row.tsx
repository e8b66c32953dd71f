import { useTranslation } from 'react-i18next'
import { formatDate } from '@/format/time'
import { IconButton } from '@/ui/icon-button'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import type { Factors } from '../api/factors'
import type { FactorSheet } from './factor-cards'
import styles from './security.module.css'

export type PasskeyRowProps = {
  passkey: Factors['passkeys'][number]
  onOpen: (sheet: FactorSheet) => void
}

/** One passkey: its name, when it was added and last used. */
export function PasskeyRow({ passkey, onOpen }: PasskeyRowProps) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const { name, createdAt, lastUsedAt } = passkey
  return (
    <li>
      <div className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.about}>
          {t('factor.passkey.added', { date: formatDate(createdAt, timeStyle) })}
          {' · '}
          {lastUsedAt === undefined ? (
            t('factor.passkey.unused')
          ) : (
            <>
              {t('factor.passkey.used')} <TimeText at={lastUsedAt} />
            </>
          )}
        </span>
      </div>
      <IconButton
        icon="edit"
        label={t('factor.passkey.rename', { name })}
        onClick={() => onOpen({ kind: 'rename_passkey', passkey })}
      />
      <IconButton
        icon="trash"
        label={t('factor.passkey.remove', { name })}
        onClick={() => onOpen({ kind: 'remove_passkey', passkey })}
      />
    </li>
  )
}
