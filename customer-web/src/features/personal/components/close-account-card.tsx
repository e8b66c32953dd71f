import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SecuritySheet } from '@/features/security/components/security-sheet'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import { TimeText } from '@/ui/time-text'
import { toast } from '@/ui/toast/toast-store'
import { closeAccount, type PersonalInfo, reopenAccount, usePersonalChange } from '../api/personal'
import styles from './personal.module.css'

type Open = PersonalInfo['openBusiness'][number]

/** Where each thing that keeps an account open is ended. */
const endedAt: Record<Open, string> = {
  balance: '/withdraw',
  bonus: '/bonus',
  position: '/order',
  order: '/order',
  deposit: '/ledger',
  withdrawal: '/ledger',
  rebate: '/invite',
  identity: '/process',
}

/** Closing the account: what must end first, what follows, and the way back. */
export function CloseAccountCard({ info }: { info: PersonalInfo }) {
  const { t } = useTranslation()
  const [closing, setClosing] = useState(false)
  const close = usePersonalChange(closeAccount)
  if (info.closesAt !== undefined) return <Closing at={info.closesAt} />
  const open = info.openBusiness
  return (
    <section className={styles.card} aria-labelledby="close-account">
      <h2 id="close-account" className={styles.title}>
        {t('close_account.title')}
      </h2>
      <p className={styles.text}>{t('close_account.about')}</p>
      {open.length > 0 ? (
        <>
          <p>{t('close_account.first')}</p>
          <ul className={styles.open}>
            {open.map((name) => (
              <li key={name}>
                <Link to={endedAt[name]}>
                  {t(`close_account.open.${name}`)}
                  <Icon name="forward" />
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Button variant="danger" onClick={() => setClosing(true)}>
          {t('close_account.title')}
        </Button>
      )}
      {closing && (
        <SecuritySheet
          act="close_account"
          title={t('close_account.title')}
          text={t('close_account.ask')}
          warning={t('close_account.warning')}
          confirmLabel={t('close_account.confirm')}
          danger
          run={async (proof) => {
            await close.mutateAsync(proof)
            setClosing(false)
            toast.success(t('close_account.done'))
          }}
          onClose={() => setClosing(false)}
        />
      )}
    </section>
  )
}

function Closing({ at }: { at: number }) {
  const { t } = useTranslation()
  const keep = usePersonalChange<void>(reopenAccount)
  const card = useRef<HTMLElement>(null)
  // The card stands at the top of the page, and the button that led here at its end.
  useEffect(() => {
    card.current?.scrollIntoView?.({ block: 'center' })
  }, [])
  return (
    <section ref={card} className={styles.card} aria-labelledby="close-account">
      <h2 id="close-account" className={styles.title}>
        {t('close_account.closing')}
      </h2>
      <Note tone="warning">
        {t('close_account.closes')} <TimeText at={at} />. {t('close_account.until_then')}
      </Note>
      <Button
        variant="primary"
        busy={keep.isPending}
        onClick={() =>
          keep.mutate(undefined, { onSuccess: () => toast.success(t('close_account.kept')) })
        }
      >
        {t('close_account.keep')}
      </Button>
      {keep.error && <FailureNote error={keep.error} />}
    </section>
  )
}
