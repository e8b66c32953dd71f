import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { decimalsOf } from '@/format/column'
import { setPreferences, usePreferences } from '@/theme/preferences'
import { Button } from '@/ui/button'
import { SkeletonRows } from '@/ui/skeleton-rows'
import type { WalletAccount } from '../api/wallet'
import { nameKey } from '../model/currencies'
import { isSmall } from '../model/total'
import styles from './funding-card.module.css'
import { MoneyText } from './money-text'
import wallet from './wallet.module.css'

export type FundingCardProps = {
  /** Undefined until the first answer. */
  accounts: readonly WalletAccount[] | undefined
  onTransfer: () => void
  /** Undefined while exchanges are switched off. */
  onExchange: (() => void) | undefined
}

/** The funding accounts by currency, with transfer and exchange. */
export function FundingCard({ accounts, onTransfer, onExchange }: FundingCardProps) {
  const { t } = useTranslation()
  const hideSmall = usePreferences((state) => state.hideSmall)
  const funding = accounts?.filter(({ kind }) => kind === 'funding')
  const shown = funding?.filter((one) => !hideSmall || !isSmall(one))
  return (
    <section className={wallet.block} aria-busy={!accounts}>
      <div className={wallet.title}>
        <h2>{t('wallet.account.funding')}</h2>
        <label className={styles.small}>
          <input
            type="checkbox"
            checked={hideSmall}
            onChange={(event) => setPreferences({ hideSmall: event.target.checked })}
          />
          {t('wallet.hide_small')}
        </label>
      </div>
      <p className={styles.about}>{t('wallet.funding.about')}</p>
      {!shown && <SkeletonRows rows={4} rowHeight={52} />}
      {shown?.length === 0 && <p className={styles.none}>{t('wallet.funding.none')}</p>}
      {shown && shown.length > 0 && (
        <ul className={styles.list}>
          {shown.map((one) => (
            <FundingRow key={one.currency} account={one} />
          ))}
        </ul>
      )}
      <div className={styles.acts}>
        <Button size="large" onClick={onTransfer} disabled={!accounts}>
          {t('wallet.transfer')}
        </Button>
        {onExchange && (
          <Button size="large" onClick={onExchange} disabled={!accounts}>
            {t('wallet.exchange')}
          </Button>
        )}
      </div>
    </section>
  )
}

function FundingRow({ account }: { account: WalletAccount }) {
  const { t } = useTranslation()
  const { currency, balance, valueUsdt } = account
  return (
    <li className={styles.row}>
      <span className={styles.code}>
        <bdi>{currency}</bdi>
        <small>{t(nameKey(currency))}</small>
      </span>
      <span className={styles.sum}>
        <MoneyText>{formatFixed(balance, decimalsOf([balance]))}</MoneyText>
        <small>
          {valueUsdt === undefined ? (
            t('wallet.no_price')
          ) : (
            <>
              ≈ <MoneyText>{formatFixed(valueUsdt, 2)}</MoneyText> USDT
            </>
          )}
        </small>
      </span>
    </li>
  )
}
