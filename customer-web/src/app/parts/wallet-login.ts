import { lazy } from 'react'

/** The log-in with an Ethereum wallet; its code is loaded when its tab is opened. */
export const WalletLogin = lazy(() => import('@/features/ethereum/components/wallet-login'))
