import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BankAccount,
  refreshBankAccounts,
  useDeleteBankAccount,
  useRestoreBankAccount,
} from '@/features/payee/api/banks'
import { CoolingTag } from '@/features/payee/components/cooling-tag'
import { PayeeSheet } from '@/features/payee/components/payee-sheet'
import { RemovedTag } from '@/features/payee/components/removed-tag'
import { groupByFour } from '@/format/iban'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import cards from '@/ui/form/card-choice.module.css'
import { IconButton } from '@/ui/icon-button'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import styles from './withdraw.module.css'

export type BankPickerProps = {
  banks: readonly BankAccount[]
  value?: number | undefined
  /** Without it the cards are read-only. */
  onChange?: (walletId: number) => void
  paymentPath?: string | undefined
}

/**
 * The saved bank accounts as cards, each with its withdrawal method; cooling ones are disabled with a countdown,
 * deleted ones can be restored.
 */
export function BankPicker({ banks, value, onChange, paymentPath }: BankPickerProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<BankAccount | null>(null)
  const deletion = useDeleteBankAccount()
  const restoration = useRestoreBankAccount()
  const restores = asked?.state === 'removed'
  const write = restores ? restoration : deletion
  const list = banks.map((bank) => {
    const removed = bank.state === 'removed'
    const waits = bank.state !== 'active'
    const words = <BankWords bank={bank} chooses={Boolean(onChange)} />
    return (
      <div key={bank.walletId} className={styles.bank}>
        {onChange ? (
          <FormControlLabel
            value={bank.walletId}
            disabled={waits}
            disableTypography
            className={cx(cards.card, waits && styles.cooling)}
            control={<Radio className={cx(cards.radio)} />}
            label={words}
          />
        ) : (
          <div className={cx(cards.card, styles.cooling)}>{words}</div>
        )}
        {removed ? (
          <Button
            variant="text"
            aria-label={t('payee.restore.open', { label: bank.label })}
            onClick={() => setAsked(bank)}
          >
            {t('payee.restore.confirm')}
          </Button>
        ) : (
          <IconButton
            icon="trash"
            size={20}
            label={t('payee.delete.open', { label: bank.label })}
            onClick={() => setAsked(bank)}
          />
        )}
      </div>
    )
  })
  return (
    <fieldset className={cards.group}>
      <legend>{t(onChange ? 'withdraw.to.title' : 'payee.bank.title')}</legend>
      {onChange ? (
        <RadioGroup
          className={cards.cards}
          value={value ?? ''}
          onChange={(_, id) => onChange(Number(id))}
        >
          {list}
        </RadioGroup>
      ) : (
        <div className={cards.cards}>{list}</div>
      )}
      {asked && (
        <PayeeSheet
          act={restores ? 'restore' : 'delete'}
          id={asked.walletId}
          label={asked.label}
          done={t(restores ? 'payee.bank.restore.done' : 'payee.bank.delete.done')}
          busy={write.isPending}
          run={(proof, then) => write.mutate({ walletId: asked.walletId, ...proof }, then)}
          paymentPath={paymentPath}
          onClose={() => setAsked(null)}
        >
          <p>
            <bdi>{asked.bank}</bdi>
            <br />
            <Num>{groupByFour(asked.iban)}</Num>
          </p>
        </PayeeSheet>
      )}
    </fieldset>
  )
}

/** A bank account in words; a selectable one ends with the dot of the radio button. */
function BankWords({ bank, chooses }: { bank: BankAccount; chooses: boolean }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const waits = bank.state !== 'active'
  return (
    <>
      <Icon name="wallet" size={22} className={cards.icon} />
      <span className={cards.words}>
        <span className={cards.name}>
          <bdi className={styles.label}>{bank.label}</bdi>
        </span>
        <span>
          <bdi>{bank.holder}</bdi> · <bdi>{bank.bank}</bdi>
        </span>
        <Num>{groupByFour(bank.iban)}</Num>
        {waits && (
          <span className={styles.tag}>
            {bank.state === 'removed' ? (
              <RemovedTag goneAt={bank.goneAt} />
            ) : (
              <CoolingTag
                label={t('payee.bank.cooling')}
                until={bank.usableFrom}
                onOver={() => void refreshBankAccounts(client)}
              />
            )}
          </span>
        )}
      </span>
      {chooses && !waits && <span className={cards.dot} aria-hidden />}
    </>
  )
}
