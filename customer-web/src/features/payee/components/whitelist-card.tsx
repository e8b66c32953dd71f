import { useQueryClient } from '@tanstack/react-query'
import { type Ref, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { formatLeft, useTimeLeft } from '@/ui/use-time-left'
import { type AddressBook, refreshAddressBook } from '../api/payees'
import { useUpdateWhitelistOnly } from '../api/writes'
import { useProof } from '../model/use-proof'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'

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
  const [asked, setAsked] = useState<boolean | null>(null)
  const { whitelistOnly: holds, whitelistEndsAt: endsAt } = book
  const stays = holds && endsAt === undefined
  return (
    <section className={styles.block}>
      <label className={styles.rule}>
        <span className={styles.name}>{t('payee.only.title')}</span>
        <input
          ref={ref}
          type="checkbox"
          role="switch"
          className={styles.switch}
          checked={stays}
          aria-checked={stays}
          aria-describedby={id}
          onChange={() => setAsked(!stays)}
        />
      </label>
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
  const proof = useProof({ act: on ? 'only_saved' : 'any' })
  const [failure, setFailure] = useState<unknown>(null)
  const write = useUpdateWhitelistOnly()
  const words = on ? 'turn_on' : 'turn_off'

  const change = () => {
    setFailure(null)
    if (!proof.check()) return
    const { payPassword, validCode } = proof
    write.mutate(
      { whitelistOnly: on, payPassword, validCode },
      {
        onSuccess: () => {
          toast.success(t(`payee.only.${words}.done`))
          onClose()
        },
        onError: (error) => {
          if (!proof.refuse(error)) setFailure(error)
        },
      },
    )
  }

  return (
    <Sheet
      open
      title={t(`payee.only.${words}.title`)}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={write.isPending}>
            {t('payee.only.keep')}
          </Button>
          <Button size="large" variant="primary" busy={write.isPending} onClick={change}>
            {t(`payee.only.${words}.confirm`)}
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        <p>{t(`payee.only.${words}.text`)}</p>
        <ProofFields proof={proof} paymentPath={paymentPath} />
        {failure !== null && <FailureNote error={failure} />}
      </div>
    </Sheet>
  )
}
