import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { groupByFour } from '@/format/iban'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy-button'
import { CopyRow } from '@/ui/copy-row'
import copyStyles from '@/ui/copy-row.module.css'
import { ErrorBlock } from '@/ui/error-block'
import { Note } from '@/ui/note'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useChannels } from '../api/channels'
import type { Deposit } from '../api/deposits'
import { CancelDeposit } from './cancel-deposit'
import { ChannelInstructions } from './channel-instructions'
import { Countdown } from './countdown'

export type TransferDetailsProps = {
  deposit: Deposit
  /** The path of the proof upload. */
  proofPath: string
}

/** Step 2: the bank details, and the reference the transfer must carry. */
export function TransferDetails({ deposit, proofPath }: TransferDetailsProps) {
  const { t } = useTranslation()
  const channels = useChannels()
  const channel = channels.data?.find(({ channelId }) => channelId === deposit.channelId)
  const amount = formatAmount(deposit.amount)

  return (
    <>
      <section className={styles.block}>
        <h2>
          {t('deposit.transfer.title', { amount: `${bidiIsolate(amount)} ${deposit.currency}` })}
        </h2>
        {channels.isPending && <SkeletonRows rows={5} rowHeight={56} />}
        {channels.isError && (
          <ErrorBlock
            {...reasonOf(channels.error)}
            onRetry={() => void channels.refetch()}
            retrying={channels.isFetching}
          />
        )}
        {channels.data && !channel && <Note tone="warning">{t('deposit.transfer.gone')}</Note>}
        {channel && (
          <>
            <ChannelInstructions channel={channel} />
            <div className={copyStyles.reference}>
              <div>
                <p>{t('deposit.transfer.reference')}</p>
                <bdi dir="ltr" className={copyStyles.code}>
                  {deposit.reference}
                </bdi>
              </div>
              <CopyButton
                text={deposit.reference}
                what={t('deposit.transfer.reference')}
                label={t('deposit.transfer.copy_reference')}
              />
            </div>
            <Note tone="warning">{t('deposit.transfer.reference_warning')}</Note>
            <dl>
              <CopyRow label={t('deposit.transfer.holder')} shown={channel.holder} />
              <CopyRow
                label={t('deposit.transfer.iban')}
                shown={groupByFour(channel.iban)}
                text={channel.iban}
                code
              />
              <CopyRow label={t('deposit.transfer.bic')} shown={channel.bic} code />
              <CopyRow label={t('deposit.transfer.bank')} shown={channel.bank} />
              <CopyRow
                label={`${t('deposit.transfer.amount')} (${deposit.currency})`}
                shown={amount}
                text={deposit.amount}
                code
              />
            </dl>
            <p className={styles.small}>{t('deposit.transfer.own_name')}</p>
          </>
        )}
      </section>
      <section className={styles.block}>
        <Countdown until={deposit.expiresAt} />
      </section>
      <section className={styles.block}>
        <p className={styles.text}>{t('deposit.state.awaiting_transfer.meaning')}</p>
        {channel && <p>{t('deposit.state.awaiting_transfer.next')}</p>}
        <div className={styles.lone}>
          <CancelDeposit deposit={deposit} />
        </div>
      </section>
      {channel && (
        <div className={styles.actions}>
          <Button variant="primary" size="large" block to={proofPath}>
            {t('deposit.transfer.sent')}
          </Button>
        </div>
      )}
    </>
  )
}
