import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { refreshAddressBook, type SavedAddress } from '@/features/payee/api/payees'
import { AddressText } from '@/features/payee/components/address-text'
import { CoolingTag } from '@/features/payee/components/cooling-tag'
import { cx } from '@/ui/cx'
import cards from '@/ui/form/card-choice.module.css'
import { Icon } from '@/ui/icons/icon'
import styles from './withdraw.module.css'

export type AddressPickerProps = {
  addresses: readonly SavedAddress[]
  /** Returns the name of a chain. */
  nameOf: (chain: string) => string
  value?: number | undefined
  onChange: (addressId: number) => void
}

/** The saved addresses as cards; cooling ones are disabled with a countdown. */
export function AddressPicker({ addresses, nameOf, value, onChange }: AddressPickerProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return (
    <fieldset className={cards.group}>
      <legend>{t('withdraw.to.address')}</legend>
      <RadioGroup
        className={cards.cards}
        value={value ?? ''}
        onChange={(_, id) => onChange(Number(id))}
      >
        {addresses.map((saved) => {
          const cooling = saved.state !== 'active'
          return (
            <FormControlLabel
              key={saved.addressId}
              value={saved.addressId}
              disabled={cooling}
              disableTypography
              className={cx(cards.card, cooling && styles.cooling)}
              control={<Radio className={cx(cards.radio)} />}
              label={
                <>
                  <Icon name="wallet" size={22} className={cards.icon} />
                  <span className={cards.words}>
                    <span className={cards.name}>
                      <bdi className={styles.label}>{saved.label}</bdi>
                    </span>
                    <bdi>
                      {saved.coin} · {nameOf(saved.chain)}
                    </bdi>
                    <AddressText address={saved.address} />
                    {cooling && (
                      <span className={styles.tag}>
                        <CoolingTag
                          label={t('payee.bank.cooling')}
                          until={saved.usableFrom}
                          onOver={() => void refreshAddressBook(client)}
                        />
                      </span>
                    )}
                  </span>
                  {!cooling && <span className={cards.dot} aria-hidden />}
                </>
              }
            />
          )
        })}
      </RadioGroup>
    </fieldset>
  )
}
