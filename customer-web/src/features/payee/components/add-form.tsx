import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { useSecurity } from '@/features/security/api/security'
import { bidiIsolate } from '@/format/bidi-isolate'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { CheckField } from '@/ui/form/check-field'
import { type Problems, problemText } from '@/ui/form/problems'
import { TextField } from '@/ui/form/text-field'
import { useFocusInvalid } from '@/ui/form/use-focus-invalid'
import { Note } from '@/ui/note'
import { type AddressCoin, refreshAddressBook } from '../api/payees'
import { useInsertAddress } from '../api/writes'
import { addressProblem } from '../model/address-format'
import { useProof } from '../model/use-proof'
import { AddressField } from './address-field'
import styles from './payee.module.css'
import { ProofFields } from './proof-fields'
import { SavingFailure } from './saving-failure'

export type AddFormProps = {
  /** At least one coin, each with at least one chain. */
  coins: readonly AddressCoin[]
  paymentPath?: string | undefined
  bookPath: string
  onDone: () => void
}

const LABEL_LENGTH = 40
const shown = ['address', 'memo', 'label']

/** The form for a new address: coin, chain, address, label, and the trader's proof. */
export function AddForm({ coins, paymentPath, bookPath, onDone }: AddFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const unset = useSecurity().data?.payPasswordSet === false
  const [coinId, setCoinId] = useState(coins[0]?.coin ?? '')
  const [chainId, setChainId] = useState('')
  const [address, setAddress] = useState('')
  const place = address.trim()
  const proof = useProof(place ? { act: 'save_address', place } : null)
  const [memo, setMemo] = useState('')
  const [label, setLabel] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [lookalike, setLookalike] = useState<string | null>(null)
  const [compared, setCompared] = useState(false)
  const [checking, setChecking] = useState(false)
  const write = useInsertAddress(() => setChecking(true))
  const form = useFocusInvalid(problems)

  const coin = coins.find((one) => one.coin === coinId) ?? coins[0]
  const chain = coin?.chains.find((one) => one.chain === chainId) ?? coin?.chains[0]
  if (!coin || !chain) return null
  const names = Object.fromEntries(
    coins.flatMap((one) => one.chains.map(({ chain: id, name }) => [id, name])),
  )

  /** The failure was about another address. */
  const edit = (change: () => void) => {
    change()
    setProblems({})
    setFailure(null)
    setLookalike(null)
    setCompared(false)
  }

  const missing = (): Problems => {
    const found: Problems = {}
    if (address.trim() === '') found.address = 'field.required'
    if (label.trim() === '') found.label = 'field.required'
    if (lookalike !== null && !compared) found.compared = 'field.accepted'
    return found
  }

  const refuse = (error: unknown) => {
    if (proof.refuse(error)) return
    if (error instanceof CallFailure && error.code === 'payee.only_saved') {
      void refreshAddressBook(client) // the whitelist was switched on elsewhere
    }
    if (error instanceof CallFailure && error.code === 'payee.lookalike') {
      setLookalike(error.args?.label ?? '')
      return
    }
    const fields = error instanceof CallFailure ? error.fields : {}
    setProblems(fields)
    if (!Object.keys(fields).some((field) => shown.includes(field))) setFailure(error)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending || unset) return
    const found = missing()
    setProblems(found)
    setFailure(null)
    const proven = proof.check()
    if (!proven || Object.keys(found).length > 0 || addressProblem(chain.chain, address)) return
    const { payPassword, validCode } = proof
    write.mutate(
      {
        coin: coin.coin,
        chain: chain.chain,
        address: place,
        label: label.trim(),
        ...(chain.memo && memo.trim() ? { memo: memo.trim() } : {}),
        ...(compared ? { confirmLookalike: true } : {}),
        payPassword,
        validCode,
      },
      { onSuccess: onDone, onError: refuse, onSettled: () => setChecking(false) },
    )
  }

  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <ChoiceGroup
        label={t('payee.coin')}
        value={coin.coin}
        onChange={(value) => edit(() => setCoinId(value))}
        options={coins.map((one) => ({ value: one.coin, label: one.coin }))}
      />
      <ChoiceGroup
        label={t('payee.network')}
        hint={t('payee.network.hint', { coin: bidiIsolate(coin.coin) })}
        value={chain.chain}
        onChange={(value) => edit(() => setChainId(value))}
        options={coin.chains.map((one) => ({ value: one.chain, label: one.name }))}
      />
      <AddressField
        key={chain.chain}
        chain={chain}
        names={names}
        value={address}
        onChange={(value) => edit(() => setAddress(value))}
        error={problemText(problems.address)}
      />
      {chain.memo && (
        <TextField
          label={t('payee.memo')}
          optional
          name="memo"
          autoComplete="off"
          ltr
          value={memo}
          onChange={setMemo}
          error={problemText(problems.memo)}
          hint={t('payee.memo.hint')}
        />
      )}
      <TextField
        label={t('payee.label')}
        name="label"
        autoComplete="off"
        maxLength={LABEL_LENGTH}
        value={label}
        onChange={setLabel}
        error={problemText(problems.label)}
        hint={t('payee.label.hint')}
      />
      {lookalike !== null && (
        <div className={styles.lookalike}>
          <Note tone="warning">
            {t('error.payee.lookalike', { label: bidiIsolate(lookalike) })}
          </Note>
          <CheckField
            checked={compared}
            onChange={setCompared}
            error={problemText(problems.compared)}
          >
            {t('payee.lookalike.compared')}
          </CheckField>
        </div>
      )}
      <Note>{t('payee.add.wait')}</Note>
      <ProofFields proof={proof} paymentPath={paymentPath} />
      {failure !== null && <SavingFailure error={failure} listPath={bookPath} />}
      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        busy={write.isPending}
        disabled={unset}
      >
        {t(checking ? 'deposit.checking' : 'payee.add.submit')}
      </Button>
    </form>
  )
}
