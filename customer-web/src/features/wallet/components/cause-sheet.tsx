import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { reasonOf } from '@/api/reason'
import { useProducts } from '@/features/market/api/products'
import { formatAmount } from '@/format/amount'
import { formatPrice } from '@/format/price'
import { ErrorBlock } from '@/ui/error-block'
import { Num } from '@/ui/num'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TimeText } from '@/ui/time-text'
import { useExchange, useTransfer, useWallet, type WalletAccount } from '../api/wallet'
import { useAccountLabels } from '../model/account-label'
import { scaleOf } from '../model/currencies'
import { rateText } from '../model/rate'
import styles from './move.module.css'

export type CauseSheetProps = {
  of: 'exchange' | 'transfer'
  id: number
  onClose: () => void
}

/** The cause of a ledger entry inside the wallet: a transfer, or an exchange with its rate and prices. */
export function CauseSheet({ of, id, onClose }: CauseSheetProps) {
  const { t } = useTranslation()
  const number = `${of === 'exchange' ? 'EX' : 'TR'}-${id}`
  return (
    <Sheet open title={t(`ledger.cause.${of}`, { number })} onClose={onClose}>
      {of === 'exchange' ? <ExchangeFacts id={id} /> : <TransferFacts id={id} />}
    </Sheet>
  )
}

type NotYetProps = {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  rows: number
}

/** Shown while facts load or after they failed to. */
function NotYet({ query: { error, isFetching, refetch }, rows }: NotYetProps) {
  return error ? (
    <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
  ) : (
    <SkeletonRows rows={rows} rowHeight={36} />
  )
}

function ExchangeFacts({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useExchange(id)
  const { data } = query
  if (!data) return <NotYet query={query} rows={5} />
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('exchange.pay')}</dt>
        <dd>
          <Num>{formatAmount(data.fromAmount, scaleOf(data.from))}</Num> {data.from}
        </dd>
      </div>
      <div>
        <dt>{t('exchange.get')}</dt>
        <dd>
          <Num>{formatAmount(data.toAmount, scaleOf(data.to))}</Num> {data.to}
        </dd>
      </div>
      <div>
        <dt>{t('exchange.rate')}</dt>
        <dd>
          <Num>{rateText(data)}</Num>
        </dd>
      </div>
      <div>
        <dt>{t('exchange.fee', { percent: formatAmount(data.spread) })}</dt>
        <dd>
          <Num>{formatAmount(data.fee, scaleOf(data.to))}</Num> {data.to}
        </dd>
      </div>
      {data.sold && <PriceRow label={t('exchange.sold')} price={data.sold} />}
      {data.bought && <PriceRow label={t('exchange.bought')} price={data.bought} />}
      <div>
        <dt>{t('exchange.time')}</dt>
        <dd>
          <TimeText at={data.time} shape="dateTimeSeconds" />
        </dd>
      </div>
    </dl>
  )
}

function PriceRow({ label, price }: { label: string; price: Wire['ExchangePrice'] }) {
  const { t } = useTranslation()
  const { data } = useProducts()
  const product = data?.find(({ productId }) => productId === price.productId)
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Num>{product ? formatPrice(price.price, product.point) : price.price}</Num>
        <small>
          {product?.productNo} {t('exchange.sequence')} <Num>{String(price.sequence)}</Num>
        </small>
      </dd>
    </div>
  )
}

function TransferFacts({ id }: { id: number }) {
  const { t } = useTranslation()
  const query = useTransfer(id)
  const accounts = useWallet().data?.accounts
  const labelOf = useAccountLabels()
  const { data } = query
  const nameOf = (accountId: number, kind: WalletAccount['kind']) => {
    const account = accounts?.find((one) => one.accountId === accountId)
    return account ? <bdi>{labelOf(account)}</bdi> : t(`wallet.account.${kind}`)
  }
  if (!data) return <NotYet query={query} rows={4} />
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('exchange.from')}</dt>
        <dd>{nameOf(data.fromAccount, data.from)}</dd>
      </div>
      <div>
        <dt>{t('exchange.to')}</dt>
        <dd>{nameOf(data.toAccount, data.to)}</dd>
      </div>
      <div>
        <dt>{t('deposit.amount.label')}</dt>
        <dd>
          <Num>{formatAmount(data.amount, scaleOf(data.currency))}</Num> {data.currency}
        </dd>
      </div>
      <div>
        <dt>{t('exchange.time')}</dt>
        <dd>
          <TimeText at={data.time} shape="dateTimeSeconds" />
        </dd>
      </div>
    </dl>
  )
}
