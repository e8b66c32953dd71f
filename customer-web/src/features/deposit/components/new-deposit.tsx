import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { AUTH_STATUS } from '@/constants'
import { useSession } from '@/session/session-store'
import styles from '@/ui/block.module.css'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useChannels } from '../api/channels'
import { useRecentDeposits } from '../api/deposits'
import { useCurrencies, useUnverifiedTotal } from '../api/limits'
import { selectChannel } from '../model/channels'
import { limitsOf } from '../model/limits'
import { isUnderWay } from '../model/states'
import { AmountForm, type AmountFormProps } from './amount-form'
import { ChannelInstructions } from './channel-instructions'
import { ChannelPicker } from './channel-picker'
import { DepositRow } from './deposit-row'
import { ProgressSteps } from './progress-steps'

const CryptoDeposit = lazy(() => import('./crypto-deposit'))

export type NewDepositProps = Pick<AmountFormProps, 'pathOf' | 'verifyPath'>

/** The deposit start page: kind, channel, then amount or address. Deposits under way are listed above. */
export function NewDeposit({ pathOf, verifyPath }: NewDepositProps) {
  const { t } = useTranslation()
  const channels = useChannels()
  const currencies = useCurrencies()
  const unverified = useUnverifiedTotal(
    useSession(({ user }) => user?.authStatus !== AUTH_STATUS.passed),
  )
  const [wanted, setWanted] = useState<Parameters<typeof selectChannel>[1]>({})
  const recent = useRecentDeposits()
  const underWay = recent.data?.list.filter(({ state }) => isUnderWay(state)) ?? []
  const list = channels.data ?? []
  const selection = selectChannel(list, wanted)
  const channel = selection?.channel
  // Together, so that nothing moves what stands below it.
  if ([channels, recent, currencies, unverified].some((query) => query.isLoading)) {
    return (
      <section key="loading" className={styles.block}>
        <SkeletonRows rows={3} rowHeight={80} />
      </section>
    )
  }
  return (
    <>
      {underWay.length > 0 && (
        <section className={styles.block}>
          <h2>{t('deposit.open.title')}</h2>
          <ul className={styles.rows}>
            {underWay.map((deposit) => (
              <DepositRow
                key={deposit.rechargeId}
                deposit={deposit}
                among={underWay}
                to={pathOf(deposit.rechargeId)}
              />
            ))}
          </ul>
        </section>
      )}
      {selection ? (
        <>
          {selection.kind === 'bank' && (
            <section className={styles.block}>
              <ProgressSteps now="amount" />
            </section>
          )}
          <section className={styles.block}>
            <ChannelPicker
              channels={list}
              limits={(one) => limitsOf(one, currencies.data)}
              kind={selection.kind}
              chosen={channel}
              onKind={(kind) => setWanted({ kind })}
              onChannel={(channelId) => setWanted({ kind: selection.kind, channelId })}
            />
            {channel && <ChannelInstructions channel={channel} />}
          </section>
          {channel?.kind === 'standard' && (
            <Suspense fallback={<SkeletonRows rows={4} />}>
              <CryptoDeposit channelId={channel.channelId} />
            </Suspense>
          )}
          {channel && channel.kind !== 'standard' && (
            <AmountForm
              channel={channel}
              kind={channel.kind}
              unverifiedTotal={unverified.data}
              pathOf={pathOf}
              verifyPath={verifyPath}
            />
          )}
        </>
      ) : (
        <section className={styles.block}>
          {channels.isError && (
            <ErrorBlock
              {...reasonOf(channels.error)}
              reassurance={t('deposit.load_reassurance')}
              onRetry={() => void channels.refetch()}
              retrying={channels.isFetching}
            />
          )}
          {channels.data && <EmptyState text={t('deposit.channel.none')} />}
        </section>
      )}
    </>
  )
}
