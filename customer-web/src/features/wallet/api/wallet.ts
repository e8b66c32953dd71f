import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import type { Currency } from '../model/currencies'
import { refreshMoney, useAccountKey } from './money'

export type WalletAccount = Wire['WalletAccount']

/** The revaluation interval of the funding accounts while they are visible. */
const VALUED_EVERY_MS = 15_000

/** All of the trader's accounts. */
export function useWallet() {
  return useQuery({
    queryKey: ['history', 'wallet', useAccountKey()],
    queryFn: () => call(api.GET('/client/wallet/findByWalletList')),
    refetchInterval: VALUED_EVERY_MS,
  })
}

export type ExchangeQuoteRequest = { from: Currency; to: Currency; amount: string }

/** A rate for an exchange, refetched whenever it has expired; null stops fetching and keeps the current one. */
export function useExchangeQuote(request: ExchangeQuoteRequest | null, paused: boolean) {
  return useQuery({
    queryKey: ['exchange-quote', useAccountKey(), request],
    queryFn: async () => {
      const query = request as ExchangeQuoteRequest
      const quote = await call(
        api.GET('/client/wallet/findNewWalletExchange', { params: { query } }),
      )
      return { ...quote, until: performance.now() + quote.lifeMs }
    },
    enabled: request !== null && !paused,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => state.data?.lifeMs ?? false,
  })
}

/** Exchanges at a quoted rate. */
export function useInsertExchange(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['InsertExchange'], write) =>
      call(api.POST('/client/wallet/insertExchange', { body, ...idempotent(write) })),
    onAnswer: () => void refreshMoney(client),
    onChecking,
  })
}

/** Transfers USDT between the contract and the funding account. */
export function useInsertTransfer(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['InsertTransfer'], write) =>
      call(api.POST('/client/wallet/insertTransfer', { body, ...idempotent(write) })),
    onAnswer: () => void refreshMoney(client),
    onChecking,
  })
}

/** One exchange with the prices behind its rate. */
export function useExchange(exchangeId: number) {
  return useQuery({
    queryKey: ['exchange', useAccountKey(), exchangeId],
    queryFn: () =>
      call(api.GET('/client/wallet/findExchange', { params: { query: { exchangeId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** One transfer. */
export function useTransfer(transferId: number) {
  return useQuery({
    queryKey: ['transfer', useAccountKey(), transferId],
    queryFn: () =>
      call(api.GET('/client/wallet/findTransfer', { params: { query: { transferId } } })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
