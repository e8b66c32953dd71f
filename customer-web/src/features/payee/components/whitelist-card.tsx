import Switch from '@mui/material/Switch'
import { useQueryClient } from '@tanstack/react-query'
import { type Ref, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Num } from '@/ui/num'
import { formatLeft, useTimeLeft } from '@/ui/use-time-left'
import { type AddressBook, refreshAddressBook } from '../api/payees'
import { useUpdateWhitelistOnly } from '../api/writes'
import styles from './payee.module.css'
import { ProofSheet } from './proof-sheet'

export type WhitelistCardProps = {
  book: AddressBook
  paymentPath?: string | undefined
  /** The switch element. */
  ref?: Ref<HTMLInputElement>
}

/** The whitelist: its state, an explanation, and the switch. */
export function WhitelistCard({ book, paymentPath, ref }: WhitelistCardProps) {
  const { t } = useTranslation()
  const id = useId()
  const switchId = useId()
  const [asked, setAsked] = useState<boolean | null>(null)
  const { whitelistOnly: holds, whitelistEndsAt: endsAt } = book
  const stays = holds && endsAt === undefined
  return (
    <section className={styles.block}>
      <div className={styles.rule}>
        <label className={styles.name} htmlFor={switchId}>
          {t('payee.only.title')}
        </label>
        <Switch
          id={switchId}
          checked={stays}
          onChange={() => setAsked(!stays)}
          slotProps={{ input: { ref, 'aria-describedby': id } }}
        />
      </div>
      <p id={id} className={styles.text}>
        {t(stays ? 'payee.only.on' : holds ? 'payee.only.ending' : 'payee.only.off')}
      </p>
      {endsAt !== undefined && <Ending at={endsAt} />}
      {asked !== null && (
        <RuleSheet on={asked} paymentPath={paymentPath} onClose={() => setAsked(null)} />
      )}
    </section>
  )
}

/** Counts down to the end of the whitelist, then refetches it. */
function Ending({ at }: { at: number }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const left = useTimeLeft(at)
  const over = left === 0
  useEffect(() => {
    if (over) void refreshAddressBook(client)
  }, [over, client])
  return (
    <p className={styles.ending}>
      {t('payee.only.ends_in')}{' '}
      <span role="timer">
        <Num>{formatLeft(left)}</Num>
      </span>
    </p>
  )
}

type RuleSheetProps = { on: boolean; paymentPath?: string | undefined; onClose: () => void }

function RuleSheet({ on, paymentPath, onClose }: RuleSheetProps) {
  const { t } = useTranslation()
  const write = useUpdateWhitelistOnly()
  const words = on ? 'turn_on' : 'turn_off'
  return (
    <ProofSheet
      act={{ act: on ? 'only_saved' : 'any' }}
      title={t(`payee.only.${words}.title`)}
      text={t(`payee.only.${words}.text`)}
      keepLabel={t('payee.only.keep')}
      confirmLabel={t(`payee.only.${words}.confirm`)}
      done={t(`payee.only.${words}.done`)}
      busy={write.isPending}
      run={(proof, then) => write.mutate({ whitelistOnly: on, ...proof }, then)}
      paymentPath={paymentPath}
      onClose={onClose}
    />
  )
}
