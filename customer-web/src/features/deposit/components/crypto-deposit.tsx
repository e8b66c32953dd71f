import { QRCodeSVG } from 'qrcode.react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import shared from '@/ui/block.module.css'
import { CopyButton } from '@/ui/copy-button'
import { CopyRow } from '@/ui/copy-row'
import { ErrorBlock } from '@/ui/error-block'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useDepositAddress } from '../api/addresses'
import { confirmationsText } from '../model/confirmations'
import { AddressText } from './address-text'
import styles from './crypto-deposit.module.css'

export type CryptoDepositProps = { channelId: number }

/** The trader's crypto deposit address on one network, as text and QR code, with the accepted coin. */
export default function CryptoDeposit({ channelId }: CryptoDepositProps) {
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
  const { coin } = address
  const chain = bidiIsolate(address.chainName)
  return (
    <>
      <section className={shared.block}>
        <h2>{t('deposit.coins.title', { coin, chain })}</h2>
        <QRCodeSVG
          value={address.qr}
          size={176}
          marginSize={3}
          className={styles.code}
          title={t('deposit.coins.code', { coin })}
        />
        <AddressText address={address.address} />
        {address.memo !== '' && (
          <dl className={styles.memo}>
            <CopyRow label={t('deposit.coins.memo')} shown={address.memo} code />
          </dl>
        )}
        <Note tone="warning">
          {t('deposit.coins.only', { coin, chain })}
          {address.memo !== '' && ` ${t('deposit.coins.memo_needed')}`}
        </Note>
      </section>
      <section className={shared.block}>
        <dl className={shared.pairs}>
          <div>
            <dt>{t('deposit.coins.minimum')}</dt>
            <dd>
              <Num>{formatAmount(address.rechargeMin)}</Num> {coin}
            </dd>
          </div>
          <div>
            <dt>{t('deposit.coins.credited')}</dt>
            <dd>{confirmationsText(t, address.confirmations)}</dd>
          </div>
        </dl>
        <p className={shared.small}>{t('deposit.coins.leave')}</p>
      </section>
      <div className={shared.actions}>
        <CopyButton
          text={address.address}
          what={t('deposit.coins.address')}
          label={t('deposit.coins.copy')}
          primary
        />
      </div>
    </>
  )
}
