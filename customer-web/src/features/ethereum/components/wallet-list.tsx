import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '@/ui/empty-state'
import { Icon } from '@/ui/icons/icon'
import { type EthereumWallet, useWallets } from '../model/use-wallets'
import styles from './wallet.module.css'

export type WalletListProps = {
  /** No wallet can be chosen now. */
  disabled: boolean
  onChoose: (wallet: EthereumWallet) => void
}

/** The wallets of this browser, or what to install. */
export function WalletList({ disabled, onChoose }: WalletListProps) {
  const { t } = useTranslation()
  const wallets = useWallets()
  if (wallets.length === 0) return <EmptyState icon="wallet" text={t('ethereum.none')} />
  return (
    <ul className={styles.list} aria-label={t('ethereum.choose')}>
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <ButtonBase
            className={styles.wallet}
            disabled={disabled}
            onClick={() => onChoose(wallet)}
          >
            {wallet.icon ? (
              <img src={wallet.icon} alt="" width={28} height={28} className={styles.icon} />
            ) : (
              <Icon name="wallet" size={28} />
            )}
            <bdi className={styles.name}>{wallet.name}</bdi>
            <Icon name="forward" />
          </ButtonBase>
        </li>
      ))}
    </ul>
  )
}
