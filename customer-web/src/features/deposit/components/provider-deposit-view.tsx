import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '@/api/request-headers'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { groupByFour, isIban } from '@/format/iban'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { CopyRow } from '@/ui/copy-row'
import { FailureNote } from '@/ui/failure-note'
import type { Deposit } from '../api/deposits'
import { useUpdateRechargePaid } from '../api/writes'
import { awaitsAgreement } from '../model/states'
import { CancelDeposit } from './cancel-deposit'
import { Countdown } from './countdown'
import { DepositFacts } from './deposit-facts'
import { DepositStatus, type DepositStatusProps } from './deposit-status'
import { OfferView } from './offer-view'
import { ProviderDepositForm } from './provider-deposit-form'

export type ProviderDepositViewProps = { deposit: Deposit; paths: DepositStatusProps['paths'] }

/** A provider deposit: how to pay while that is possible, and its status afterwards. */
export function ProviderDepositView({ deposit, paths }: ProviderDepositViewProps) {
  const { t } = useTranslation()
  const { state, appealUntil, offer } = deposit
  const [appealing, setAppealing] = useState(false)
  const mayAppeal = appealUntil !== undefined && appealUntil > serverNow()

  return (
    <>
      <DepositStatus deposit={deposit} paths={paths} />
      {state === 'redirected' && <ProviderPage deposit={deposit} />}
      {offer && awaitsAgreement(deposit) ? (
        <OfferView deposit={deposit} offer={offer} />
      ) : (
        <>
          {(state === 'awaiting_payment' || state === 'marked_paid' || state === 'appeal') && (
            <Merchant deposit={deposit} />
          )}
          {state === 'awaiting_payment' && <ProviderDepositForm deposit={deposit} mode="paid" />}
        </>
      )}
      {mayAppeal &&
        (appealing ? (
          <ProviderDepositForm deposit={deposit} mode="appeal" />
        ) : (
          <section className={styles.block}>
            <p className={styles.text}>{t('deposit.appeal.offer')}</p>
            <Button onClick={() => setAppealing(true)}>{t('deposit.appeal.open')}</Button>
          </section>
        ))}
      <DepositFacts deposit={deposit} />
      {deposit.cancellable && (
        <section className={styles.block}>
          <div className={styles.lone}>
            <CancelDeposit deposit={deposit} />
          </div>
        </section>
      )}
    </>
  )
}

/** Links to the provider's page, shows how long it is open, and what happens after the payment. */
function ProviderPage({ deposit }: { deposit: Deposit }) {
  const { t } = useTranslation()
  const [checking, setChecking] = useState(false)
  const write = useUpdateRechargePaid(() => setChecking(true))
  const { payUrl } = deposit
  return (
    <>
      <section className={styles.block}>
        <Countdown until={deposit.expiresAt} />
        {write.error && <FailureNote error={write.error} />}
      </section>
      <div className={styles.actions}>
        {payUrl !== undefined && (
          <Button
            variant="primary"
            size="large"
            block
            onClick={() => window.location.assign(payUrl)}
          >
            {t('deposit.third.open')}
          </Button>
        )}
        <Button
          size="large"
          block
          busy={write.isPending}
          onClick={() =>
            write.mutate(
              { rechargeId: deposit.rechargeId },
              { onSettled: () => setChecking(false) },
            )
          }
        >
          {t(checking ? 'deposit.checking' : 'deposit.third.paid')}
        </Button>
      </div>
    </>
  )
}

/** The merchant to pay, the amount, and the required payment reference. */
function Merchant({ deposit }: { deposit: Deposit }) {
  const { t } = useTranslation()
  const { merchant, merchantBank, merchantAccount } = deposit
  const { currency, amount: plain } = deposit.offer ?? deposit
  const amount = formatAmount(plain)
  if (merchantAccount === undefined) return null
  return (
    <section className={styles.block}>
      <h2>{t('deposit.transfer.title', { amount: `${bidiIsolate(amount)} ${currency}` })}</h2>
      <dl>
        {merchant !== undefined && (
          <CopyRow label={t('deposit.transfer.holder')} shown={merchant} />
        )}
        {merchantBank !== undefined && (
          <CopyRow label={t('deposit.transfer.bank')} shown={merchantBank} />
        )}
        {isIban(merchantAccount) ? (
          <CopyRow
            label={t('deposit.transfer.iban')}
            shown={groupByFour(merchantAccount)}
            text={merchantAccount}
            code
          />
        ) : (
          <CopyRow label={t('deposit.otc.account')} shown={merchantAccount} code />
        )}
        <CopyRow
          label={`${t('deposit.transfer.amount')} (${currency})`}
          shown={amount}
          text={plain}
          code
        />
        <CopyRow label={t('deposit.transfer.reference')} shown={deposit.reference} code />
      </dl>
      {deposit.state === 'awaiting_payment' && <Countdown until={deposit.expiresAt} />}
    </section>
  )
}
