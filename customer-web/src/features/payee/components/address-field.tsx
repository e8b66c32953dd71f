import ButtonBase from '@mui/material/ButtonBase'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import type { FieldBinding } from '@/ui/form/form-field'
import { TextField } from '@/ui/form/text-field'
import { toast } from '@/ui/toast/toast-store'
import type { AddressChain } from '../api/payees'
import { type AddressProblem, addressProblem } from '../model/address-format'
import { canReadQr } from '../model/qr'
import styles from './payee.module.css'
import { QrButton } from './qr-button'

export type AddressFieldProps = FieldBinding<string> & {
  chain: AddressChain
  /** Chain names by id; another chain's address is reported with its name. */
  names: Readonly<Record<string, string>>
}

/** Shorter than any complete address, so an unfinished address is not reported as wrong. */
const WORTH_JUDGING = 26

/** An address field that validates on this device while the trader types or pastes. */
export function AddressField({ chain, names, error, ...field }: AddressFieldProps) {
  const { value, onChange } = field
  const { t } = useTranslation()
  const [left, setLeft] = useState(false)
  const typed = value.trim()
  const judged = typed !== '' && (left || typed.length >= WORTH_JUDGING)
  const found = judged ? addressProblem(chain.chain, typed) : null

  const words = (problem: AddressProblem) => {
    if (problem.kind === 'form') return t('field.address')
    if (problem.kind === 'checksum') return t('field.address_checksum')
    return t('error.payee.wrong_chain', {
      chain: bidiIsolate(names[problem.chain] ?? problem.chain),
    })
  }

  const paste = async () => {
    try {
      onChange((await navigator.clipboard.readText()).trim())
      setLeft(true)
    } catch {
      toast.error(t('payee.paste_failed'))
    }
  }

  return (
    <TextField
      label={t('payee.address')}
      autoComplete="off"
      ltr
      className={styles.typed}
      {...field}
      onBlur={() => {
        setLeft(true)
        field.onBlur()
      }}
      onChange={(text) => {
        setLeft(false)
        onChange(text)
      }}
      error={found ? words(found) : error}
      hint={
        judged
          ? t('payee.address.fits', { chain: bidiIsolate(chain.name) })
          : t('payee.address.example', { address: bidiIsolate(shortened(chain.example)) })
      }
      end={
        <>
          {canReadQr() && (
            <QrButton
              onRead={(address) => {
                onChange(address)
                setLeft(true)
              }}
            />
          )}
          <ButtonBase className={styles.paste} onClick={() => void paste()}>
            {t('payee.paste')}
          </ButtonBase>
        </>
      }
    />
  )
}

/** The start and end of an address, so that an example shows the format but can't be paid to. */
function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
