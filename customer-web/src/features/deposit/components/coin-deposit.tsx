import { QRCodeSVG } from 'qrcode.react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { formatAmount } from '@/format/amount'
import { ErrorBlock } from '@/ui/error-block'
import { Note } from '@/ui/note'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useDepositAddress } from '../api/addresses'
import { creditedAfter } from '../model/confirmations'
import { isolate } from '../model/isolate'
import styles from './coin-deposit.module.css'
import { CopyRow } from './copy-row'
import shared from './deposit.module.css'

export type CoinDepositProps = { channelId: number }

/** The trader's own address for coins on one network, as text and as a code for a wallet's camera, with what may be sent to it. */
export default function CoinDeposit({ channelId }: CoinDepositProps) {
  const { t } = useTranslation()
  const query = useDepositAddress(channelId)
  const address = query.data
  if (query.isError) {
    return (
      <section className={shared.block}>
        <ErrorBlock
          {...reasonOf(query.error)}
          reassurance={t('deposit.coins.reassurance')}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </section>
    )
  }
  if (!address) {
    return (
      <section className={shared.block}>
        <SkeletonRows rows={4} />
      </section>
    )
  }
  const groups = address.address.replace(/(.{4})(?=.)/g, '$1 ')
  return (
    <section className={shared.block}>
      <h2>{t('deposit.coins.title', { coin: address.coin })}</h2>
      <Note tone="warning">
        {t('deposit.coins.only', { coin: address.coin, chain: isolate(address.chainName) })}
      </Note>
      <div className={styles.both}>
        <QRCodeSVG
          value={address.qr}
          size={176}
          marginSize={3}
          className={styles.code}
          title={t('deposit.coins.code', { coin: address.coin })}
        />
        <dl className={styles.rows}>
          <CopyRow label={t('deposit.coins.address')} shown={groups} text={address.address} code />
          {address.memo !== '' && (
            <CopyRow label={t('deposit.coins.memo')} shown={address.memo} code />
          )}
        </dl>
      </div>
      <p className={shared.text}>
        {t('deposit.coins.minimum', {
          amount: isolate(formatAmount(address.rechargeMin)),
          coin: address.coin,
        })}{' '}
        {creditedAfter(t, address.confirmations)}
      </p>
    </section>
  )
}
