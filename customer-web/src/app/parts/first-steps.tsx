import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { AUTH_STATUS } from '@/constants'
import { useCreditedDeposit } from '@/features/deposit/api/credited-deposit'
import { lastFillsQuery } from '@/features/trading/api/fills'
import { useIsDemo, useSession } from '@/session/session-store'
import type { StoredUser } from '@/storage/entries'
import { storage } from '@/storage/storage'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import { useTradePath } from '../nav/trade-link'
import styles from './first-steps.module.css'

/** The traders who closed the card in this visit; it returns with the next one until everything is done. */
const useClosed = create<{ userId: string | null }>(() => ({ userId: null }))

/** The identity step by authStatus: its state and its screen. */
function identityStep(authStatus: number) {
  switch (authStatus) {
    case AUTH_STATUS.underReview:
      return { hint: 'home.steps.under_review', to: '/process?status=REVIEW' } as const
    case AUTH_STATUS.failed:
      return { hint: 'home.steps.failed', to: '/failed' } as const
    default:
      return { hint: 'home.steps.verify.text', to: '/authenticate' } as const
  }
}

/** What a registered trader does first, until it is done: identity, deposit, trade. */
export function FirstSteps() {
  const user = useSession((session) => session.user)
  const demo = useIsDemo()
  const closed = useClosed(({ userId }) => userId)
  if (!user || demo || closed === user.userId) return null
  if (storage.read('firstSteps') === user.userId) return null
  return <Steps user={user} />
}

function Steps({ user }: { user: StoredUser }) {
  const { t } = useTranslation()
  const tradePath = useTradePath()
  const deposits = useCreditedDeposit()
  const fills = useQuery(lastFillsQuery)
  const verified = user.authStatus === AUTH_STATUS.passed
  const deposited = deposits.data ?? false
  const traded = (fills.data?.list.length ?? 0) > 0
  const steps = [
    { id: 'verify', done: verified, ...identityStep(user.authStatus) },
    { id: 'deposit', done: deposited, hint: 'home.steps.deposit.text', to: '/deposite' },
    { id: 'trade', done: traded, hint: 'home.steps.trade.text', to: tradePath },
  ] as const
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)?.id
  // A verified trader has usually done all; the card appears only when that is known not to be so.
  const waits = verified && (deposits.isPending || fills.isPending)
  const failed = deposits.isError || fills.isError

  useEffect(() => {
    if (done === steps.length) storage.write('firstSteps', user.userId)
  }, [done, steps.length, user.userId])

  if (done === steps.length || waits || (verified && failed)) return null
  return (
    <section className={styles.card} aria-labelledby="first-steps">
      <div className={styles.head}>
        <h2 id="first-steps">{t('home.steps.title')}</h2>
        <span>{t('home.steps.done', { done, all: steps.length })}</span>
        <IconButton
          icon="close"
          label={t('home.steps.close')}
          onClick={() => useClosed.setState({ userId: user.userId })}
        />
      </div>
      <ol>
        {steps.map((step, at) => (
          <li key={step.id} className={cx(styles.step, step.done && styles.done)}>
            <i aria-hidden>{step.done ? <Icon name="check" size={14} /> : at + 1}</i>
            <div>
              <b>
                {t(`home.steps.${step.id}`)}
                {step.done && <span className="visually-hidden"> {t('home.steps.is_done')}</span>}
              </b>
              <p>{t(step.hint)}</p>
            </div>
            {step.id === next && step.to && (
              <Button to={step.to} variant="primary">
                {t(`home.steps.${step.id}.go`)}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
