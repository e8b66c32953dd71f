import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { WithdrawalLockCard } from '@/features/security/components/withdrawal-lock-card'
import { useWallet } from '@/features/wallet/api/wallet'
import { formatAmount, formatUsdt } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import type { TextKey } from '@/i18n/i18n'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import type { IconName } from '@/ui/icons/icon-shapes'
import { useTimeLeft } from '@/ui/use-time-left'
import { refreshWithdrawals, type WithdrawalTerms } from '../api/withdrawals'
import { isZeroSum, type Obstacle } from '../model/sums'
import own from './withdraw.module.css'

export type ObstaclePaths = {
  /** The verification path, if that screen exists. */
  verify?: string | undefined
  /** The path to set a payment password, if that screen exists. */
  payment?: string | undefined
  /** The path of the transfer to the contract account, if that screen exists. */
  transfer?: string | undefined
}

export type ObstacleBlockProps = {
  obstacle: Obstacle
  terms: WithdrawalTerms
  paths: ObstaclePaths
}

const icons: Record<Obstacle, IconName> = {
  unverified: 'user',
  held: 'clock',
  password: 'lock',
  empty: 'wallet',
  limit: 'clock',
}

/** One thing that stands in the way of a withdrawal, until when, and how to resolve it. */
export function ObstacleBlock({ obstacle, terms, paths }: ObstacleBlockProps) {
  const { t } = useTranslation()
  if (obstacle === 'held') return <Held terms={terms} />
  const way: { path: string | undefined; text: TextKey } | undefined =
    obstacle === 'unverified'
      ? { path: paths.verify, text: 'deposit.unverified.verify' }
      : obstacle === 'password'
        ? { path: paths.payment, text: 'payment_password.first.submit' }
        : undefined
  return (
    <section className={styles.block}>
      <h2 className={own.blocked}>
        <Icon name={icons[obstacle]} size={20} />
        {t(`withdraw.blocked.${obstacle}`)}
      </h2>
      <p className={styles.text}>
        {t(`withdraw.blocked.${obstacle}.text`, { min: bidiIsolate(formatAmount(terms.minimum)) })}
      </p>
      {obstacle === 'empty' && <Kept currency={terms.currency} path={paths.transfer} />}
      {way?.path && (
        <Button variant="primary" to={way.path} className={own.start}>
          {t(way.text)}
        </Button>
      )}
    </section>
  )
}

/** The balance of the funding account, which can't be withdrawn directly, with a link to transfer it. */
function Kept({ currency, path }: { currency: string; path: string | undefined }) {
  const { t } = useTranslation()
  const kept = useWallet().data?.accounts.find(
    (one) => one.kind === 'funding' && one.currency === currency,
  )
  if (!kept || isZeroSum(kept.available)) return null
  return (
    <>
      <p className={styles.text}>
        {t('withdraw.blocked.empty.kept', { amount: bidiIsolate(formatUsdt(kept.available)) })}
      </p>
      {path && (
        <Button variant="primary" to={path} className={own.start}>
          {t('wallet.transfer')}
        </Button>
      )}
    </>
  )
}

/** The withdrawal lock with its countdown; afterwards the limits are refetched. */
function Held({ terms: { heldUntil = 0, heldReason } }: { terms: WithdrawalTerms }) {
  const client = useQueryClient()
  const over = useTimeLeft(heldUntil) === 0
  useEffect(() => {
    if (over) void refreshWithdrawals(client)
  }, [over, client])
  return heldReason && <WithdrawalLockCard until={heldUntil} reason={heldReason} />
}
