import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { decimalsOf } from '@/format/column'
import { setPreferences, usePreferences } from '@/theme/preferences'
import { Button } from '@/ui/button'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { WalletAccount } from '../api/wallet'
import { useAccountLabels } from '../model/account-label'
import { type Currency, nameKey } from '../model/currencies'
import { isNothing, isSmall } from '../model/total'
import styles from './asset-list.module.css'
import { MoneyText } from './money-text'
import { type End, endOf } from './transfer-sheet'
import wallet from './wallet.module.css'

export type AssetListProps = {
  /** Undefined until the first answer. */
  accounts: readonly WalletAccount[] | undefined
  /** What the trading account is worth; undefined until known. */
  equity: string | undefined
  /** The paths of deposits and withdrawals; undefined if not possible. */
  depositPath?: string | undefined
  withdrawPath?: string | undefined
  onTransfer: (from: End) => void
  /** Undefined while conversions are switched off. */
  onConvert: ((from: Currency) => void) | undefined
}

/** All that the trader holds, each with what can be done with it. Small balances are folded. */
export function AssetList({
  accounts,
  equity,
  depositPath,
  withdrawPath,
  onTransfer,
  onConvert,
}: AssetListProps) {
  const { t } = useTranslation()
  const labelOf = useAccountLabels()
  const folded = usePreferences((state) => state.hideSmall)
  const [trading, ...others] = accounts?.filter(({ kind }) => kind === 'contract') ?? []
  const funding = accounts?.filter(({ kind }) => kind === 'funding') ?? []
  const small = funding.filter(isSmall)
  const shown = folded ? funding.filter((one) => !small.includes(one)) : funding
  /** Deposits arrive on the main account, and withdrawals leave it. */
  const tradingActs = (account: WalletAccount): (Act | null)[] => {
    const main = account.number === 1
    const movable = !isNothing(account.available)
    return [
      main && depositPath ? { text: t('wallet.deposit'), to: depositPath } : null,
      main && withdrawPath && movable ? { text: t('wallet.withdraw'), to: withdrawPath } : null,
      movable ? { text: t('wallet.transfer'), run: () => onTransfer(endOf(account)) } : null,
    ]
  }
  return (
    <section className={wallet.block} aria-busy={!accounts}>
      <div className={wallet.title}>
        <h2>{t('wallet.assets')}</h2>
      </div>
      {!accounts && <SkeletonRows rows={2} rowHeight={80} />}
      {trading && (
        <ul className={styles.list}>
          <AssetRow
            name={<bdi>{labelOf(trading)}</bdi>}
            label={labelOf(trading)}
            note={`${t(others.length > 0 ? 'wallet.trading.in_use' : 'wallet.account.contract')} · ${trading.accountId}`}
            amount={formatFixed(equity, 2)}
            below={<Available account={trading} />}
            acts={tradingActs(trading)}
          />
          {others.map((account) => (
            <AssetRow
              key={account.accountId}
              name={<bdi>{labelOf(account)}</bdi>}
              label={labelOf(account)}
              note={`${t('wallet.account.contract')} · ${account.accountId}`}
              amount={account.valueUsdt === undefined ? '–' : formatFixed(account.valueUsdt, 2)}
              below={<Available account={account} />}
              acts={tradingActs(account)}
            />
          ))}
          {shown.map((account) => (
            <FundingRow
              key={account.currency}
              account={account}
              onTransfer={onTransfer}
              onConvert={onConvert}
            />
          ))}
        </ul>
      )}
      {small.length > 0 && (
        <Button
          variant="text"
          className={styles.more}
          onClick={() => setPreferences({ hideSmall: !folded })}
        >
          {folded ? t('wallet.show_all', { number: small.length }) : t('wallet.hide_small')}
        </Button>
      )}
    </section>
  )
}

function Available({ account }: { account: WalletAccount }) {
  const { t } = useTranslation()
  return (
    <>
      {t('wallet.available')} <MoneyText>{formatFixed(account.available, 2)}</MoneyText>
    </>
  )
}

type FundingRowProps = Pick<AssetListProps, 'onTransfer' | 'onConvert'> & { account: WalletAccount }

function FundingRow({ account, onTransfer, onConvert }: FundingRowProps) {
  const { t } = useTranslation()
  const { currency, balance, available, valueUsdt } = account
  const movable = !isNothing(available)
  return (
    <AssetRow
      name={<bdi>{currency}</bdi>}
      label={`${currency}, ${t('wallet.account.funding')}`}
      note={`${t(nameKey(currency))} · ${t('wallet.account.funding')}`}
      amount={formatFixed(balance, decimalsOf(currency, [balance]))}
      below={
        valueUsdt === undefined ? (
          t('wallet.no_price')
        ) : (
          <>
            ≈ <MoneyText>{formatFixed(valueUsdt, 2)}</MoneyText> USDT
          </>
        )
      }
      acts={[
        movable && currency === 'USDT'
          ? { text: t('wallet.transfer'), run: () => onTransfer('funding') }
          : null,
        movable && onConvert
          ? { text: t('wallet.exchange'), run: () => onConvert(currency) }
          : null,
      ]}
    />
  )
}

type Act = { text: string; to?: string; run?: () => void }

type AssetRowProps = {
  name: ReactNode
  /** The name in the labels of the buttons, if it is another one. */
  label?: string
  note: string
  amount: string
  below: ReactNode
  acts: readonly (Act | null)[]
}

function AssetRow({ name, label, note, amount, below, acts }: AssetRowProps) {
  const possible = acts.filter((act) => act !== null)
  return (
    <li className={styles.row}>
      <span className={styles.name}>
        {name}
        <small>{note}</small>
      </span>
      <span className={styles.sum}>
        <MoneyText>{amount}</MoneyText>
        <small>{below}</small>
      </span>
      {possible.length > 0 && (
        <span className={styles.acts}>
          {possible.map(({ text, to, run }) => (
            <Button
              key={text}
              variant="quiet"
              aria-label={`${text}: ${label ?? name}`}
              {...(to ? { to } : {})}
              {...(run ? { onClick: run } : {})}
            >
              {text}
            </Button>
          ))}
        </span>
      )}
    </li>
  )
}
