import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy-button'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import { type AddressChain, refreshAddressBook, type SavedAddress } from '../api/payees'
import { useDeleteAddress, useRestoreAddress } from '../api/writes'
import { AddressText } from './address-text'
import { CoolingTag } from './cooling-tag'
import styles from './payee.module.css'
import { PayeeSheet } from './payee-sheet'
import { RemovedTag } from './removed-tag'

export type PayeeCardProps = {
  saved: SavedAddress
  /** The address's chain; undefined until known. */
  chain: AddressChain | undefined
  paymentPath?: string | undefined
}

/** A saved address: label, address, and whether it can be used yet or has been deleted. */
export function PayeeCard({ saved, chain, paymentPath }: PayeeCardProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const removed = saved.state === 'removed'
  const deletion = useDeleteAddress()
  const restoration = useRestoreAddress()
  const write = removed ? restoration : deletion
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <h2>
          <bdi>{saved.label}</bdi>
        </h2>
        {removed ? (
          <Button
            variant="text"
            aria-label={t('payee.restore.open', { label: saved.label })}
            onClick={() => setAsking(true)}
          >
            {t('payee.restore.confirm')}
          </Button>
        ) : (
          <IconButton
            icon="trash"
            size={20}
            label={t('payee.delete.open', { label: saved.label })}
            onClick={() => setAsking(true)}
          />
        )}
      </div>
      <p className={styles.tags}>
        <Tag>
          <bdi dir="ltr">{saved.coin}</bdi>
        </Tag>
        <Tag>
          <bdi dir="ltr">{chain?.name ?? saved.chain}</bdi>
        </Tag>
        {removed ? (
          <RemovedTag goneAt={saved.goneAt} />
        ) : saved.state === 'cooling' ? (
          <CoolingTag
            label={t('payee.state.cooling')}
            until={saved.usableFrom}
            onOver={() => void refreshAddressBook(client)}
          />
        ) : (
          <Tag tone="success">
            <Icon name="check" size={14} />
            {t('payee.state.active')}
          </Tag>
        )}
      </p>
      <div className={styles.line}>
        <AddressText address={saved.address} />
        <CopyButton text={saved.address} what={t('payee.address')} />
      </div>
      {saved.memo && (
        <p className={styles.small}>
          {t('payee.memo')}: <bdi>{saved.memo}</bdi>
        </p>
      )}
      <p className={styles.foot}>
        <span className={styles.small}>
          {t('payee.saved_at')} <TimeText at={saved.createdAt} shape="date" />
        </span>
        {chain && (
          <a
            href={chain.explorer.replace('{address}', saved.address)}
            target="_blank"
            rel="noreferrer"
            className={styles.link}
          >
            {t('payee.explorer')}
            <span className="visually-hidden">: {saved.label}</span>
          </a>
        )}
      </p>
      {asking && (
        <PayeeSheet
          act={removed ? 'restore' : 'delete'}
          id={saved.addressId}
          label={saved.label}
          done={t(removed ? 'payee.restore.done' : 'payee.delete.done')}
          busy={write.isPending}
          run={(proof, then) => write.mutate({ addressId: saved.addressId, ...proof }, then)}
          paymentPath={paymentPath}
          onClose={() => setAsking(false)}
        >
          <AddressText address={saved.address} />
        </PayeeSheet>
      )}
    </li>
  )
}
