import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/features/deposit/model/bidi-isolate'
import { TextField } from '@/features/session/components/text-field'
import { toast } from '@/ui/toast/toast-store'
import type { AddressChain } from '../api/payees'
import { type AddressProblem, addressProblem } from '../model/address-format'
import { canReadQr } from '../model/qr'
import styles from './payee.module.css'
import { QrButton } from './qr-button'

export type AddressFieldProps = {
  chain: AddressChain
  /** Every chain, by its id: an address of another one is called by its name. */
  names: Readonly<Record<string, string>>
  value: string
  onChange: (value: string) => void
  /** What the server says, or that it is missing. */
  error?: string | undefined
}

/** Shorter than any whole address: while one is typed, it is not wrong yet. */
const WORTH_JUDGING = 26

/** An address, checked on this device while it is typed or pasted. */
export function AddressField({ chain, names, value, onChange, error }: AddressFieldProps) {
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
    // biome-ignore lint/a11y/noStaticElementInteractions: only notes that the field was left
    <div onBlur={() => setLeft(true)}>
      <TextField
        label={t('payee.address')}
        name="address"
        autoComplete="off"
        ltr
        className={styles.typed}
        value={value}
        onChange={(text) => {
          setLeft(false)
          onChange(text)
        }}
        error={error ?? (found ? words(found) : undefined)}
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
            <button type="button" className={styles.paste} onClick={() => void paste()}>
              {t('payee.paste')}
            </button>
          </>
        }
      />
    </div>
  )
}

/** How an address begins and ends: an example shows its form, and can't be paid to. */
function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
