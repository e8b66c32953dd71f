import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AddressCoin,
  refreshAddressBook,
  type SavedAddress,
} from '@/features/payee/api/payees'
import { AddressText } from '@/features/payee/components/address-text'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { AddressPicker } from './address-picker'
import { WithdrawalForm, type WithdrawalFormProps } from './withdrawal-form'

export type ToAddressProps = Pick<
  WithdrawalFormProps,
  'terms' | 'way' | 'pathOf' | 'paymentPath'
> & {
  /** The addresses of the account's currency. */
  addresses: readonly SavedAddress[]
  coins: readonly AddressCoin[]
  addPath: string
}

/** A withdrawal to a saved address: first the network, then the address. */
export function ToAddress({ addresses, coins, addPath, ...form }: ToAddressProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const ready = addresses.filter(({ state }) => state === 'active')
  const saved = ready.find(({ addressId }) => addressId === chosen) ?? ready[0]
  const nameOf = (id: string) =>
    coins.flatMap(({ chains }) => chains).find(({ chain }) => chain === id)?.name ?? id
  return (
    <WithdrawalForm
      {...form}
      place={
        saved && {
          payeeId: saved.addressId,
          to: <InFull saved={saved} chain={nameOf(saved.chain)} />,
        }
      }
      onRefused={() => void refreshAddressBook(client)}
      picker={
        <>
          <AddressPicker
            addresses={addresses}
            nameOf={nameOf}
            value={saved?.addressId}
            onChange={setChosen}
          />
          {!saved && <Note tone="warning">{t('withdraw.to.none_ready')}</Note>}
          <Button variant="text" to={addPath} className={styles.lone}>
            {t('payee.add.open')}
          </Button>
        </>
      }
    />
  )
}

function InFull({ saved, chain }: { saved: SavedAddress; chain: string }) {
  const { t } = useTranslation()
  return (
    <>
      <bdi>{saved.label}</bdi>
      <br />
      <bdi>
        {saved.coin} · {chain}
      </bdi>
      <br />
      <AddressText address={saved.address} />
      {saved.memo && (
        <>
          <br />
          {t('payee.memo')}: <bdi>{saved.memo}</bdi>
        </>
      )}
    </>
  )
}
