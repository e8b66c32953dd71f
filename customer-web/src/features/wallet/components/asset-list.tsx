import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { decimalsOf } from '@/format/column'
import { setPreferences, usePreferences } from '@/theme/preferences'
import { Button } from '@/ui/button'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { WalletAccount } from '../api/wallet'
import { type Currency, nameKey } from '../model/currencies'
import { isNothing, isSmall } from '../model/total'
import styles from './asset-list.module.css'
import { MoneyText } from './money-text'
import wallet from './wallet.module.css'

export type AssetListProps = {
  /** Undefined until the first answer. */
  accounts: readonly WalletAccount[] | undefined
  /** What the trading account is worth; undefined until known. */
  equity: string | undefined
  /** The paths of deposits and withdrawals; undefined if not possible. */
  depositPath?: string | undefined
  withdrawPath?: string | undefined
  onTransfer: (way: 'keep' | 'trade') => void
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
  const folded = usePreferences((state) => state.hideSmall)
  const trading = accounts?.find(({ kind }) => kind === 'contract')
  const funding = accounts?.filter(({ kind }) => kind === 'funding') ?? []
  const small = funding.filter(isSmall)
  const shown = folded ? funding.filter((one) => !small.includes(one)) : funding
  return (
    <section className={wallet.block} aria-busy={!accounts}>
      <div className={wallet.title}>
        <h2>{t('wallet.assets')}</h2>
      </div>
      {!accounts && <SkeletonRows rows={2} rowHeight={80} />}
      {trading && (
        <ul className={styles.list}>
          <AssetRow
            name={t('wallet.account.contract')}
            note={t('wallet.trading.about')}
            amount={formatFixed(equity, 2)}
            below={
              <>
                {t('wallet.available')} <MoneyText>{formatFixed(trading.available, 2)}</MoneyText>
              </>
            }
            acts={[
              depositPath ? { text: t('wallet.deposit'), to: depositPath } : null,
              withdrawPath && !isNothing(trading.available)
                ? { text: t('wallet.withdraw'), to: withdrawPath }
                : null,
              isNothing(trading.available)
                ? null
                : { text: t('wallet.transfer'), run: () => onTransfer('keep') },
            ]}
          />
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
          ? { text: t('wallet.transfer'), run: () => onTransfer('trade') }
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
