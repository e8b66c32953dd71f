import type { TFunction } from 'i18next'

/** What a crypto deposit waits for before it is credited, as the value of a row. */
export function confirmationsText(t: TFunction, confirmations: number | undefined): string {
  return confirmations === undefined
    ? t('deposit.coins.confirmed')
    : t('deposit.coins.confirmations', { count: confirmations })
}

/** States when a crypto deposit is credited: after a number of network confirmations, if it is known. */
export function creditedAfter(t: TFunction, confirmations: number | undefined): string {
  return confirmations === undefined
    ? t('deposit.channel.confirmed')
    : t('deposit.channel.confirmations', { count: confirmations })
}
