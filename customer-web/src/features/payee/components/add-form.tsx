import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { boolean, minLength, nullable, object, refine, string, trim } from 'zod/mini'
import { CallFailure } from '@/api/client'
import { bidiIsolate } from '@/format/bidi-isolate'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { CheckField } from '@/ui/form/check-field'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { type AddressCoin, refreshAddressBook } from '../api/payees'
import { useInsertAddress } from '../api/writes'
import { addressProblem } from '../model/address-format'
import { emptyProof, proofFields, useProof } from '../model/use-proof'
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

const schema = object({
  coin: string(),
  chain: string(),
  address: string().check(trim(), minLength(1, 'field.required')),
  memo: string().check(trim()),
  label: string().check(trim(), minLength(1, 'field.required')),
  /** The label of a saved address that this one resembles, by the server's answer. */
  lookalike: nullable(string()),
  compared: boolean(),
  ...proofFields,
}).check(
  refine(({ chain, address }) => address === '' || addressProblem(chain, address) === null, {
    path: ['address'],
    error: 'field.address',
  }),
  refine(({ lookalike, compared }) => lookalike === null || compared, {
    path: ['compared'],
    error: 'field.accepted',
  }),
)

/** The form for a new address: coin, chain, address, label, and the trader's proof. */
export function AddForm({ coins, paymentPath, bookPath, onDone }: AddFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useSchemaForm(schema, {
    coin: coins[0]?.coin ?? '',
    chain: coins[0]?.chains[0]?.chain ?? '',
    address: '',
    memo: '',
    label: '',
    lookalike: null,
    compared: false,
    ...emptyProof,
  })
  const [coinId, chainId, address, lookalike] = form.watch([
    'coin',
    'chain',
    'address',
    'lookalike',
  ])
  const place = address.trim()
  const proof = useProof(form, place ? { act: 'save_address', place } : null)
  const [failure, setFailure] = useState<unknown>(null)
  const [checking, setChecking] = useState(false)
  const write = useInsertAddress(() => setChecking(true))

  const coin = coins.find((one) => one.coin === coinId)
  const chain = coin?.chains.find((one) => one.chain === chainId)
  if (!coin || !chain) return null
  const names = Object.fromEntries(
    coins.flatMap((one) => one.chains.map(({ chain: id, name }) => [id, name])),
  )

  /** The failure was about another address. */
  const restart = () => {
    form.setValue('lookalike', null)
    form.setValue('compared', false)
    form.clearErrors(['address', 'memo', 'label', 'compared'])
    setFailure(null)
  }
  const pickCoin = (next: string) => {
    form.setValue('coin', next)
    form.setValue('chain', coins.find((one) => one.coin === next)?.chains[0]?.chain ?? '')
    restart()
  }
  const pickChain = (next: string) => {
    form.setValue('chain', next)
    restart()
  }

  const refuse = (error: unknown) => {
    if (proof.refuse(error)) return
    if (error instanceof CallFailure && error.code === 'payee.only_saved') {
      void refreshAddressBook(client) // the whitelist was switched on elsewhere
    }
    if (error instanceof CallFailure && error.code === 'payee.lookalike') {
      form.setValue('lookalike', error.args?.label ?? '')
      return
    }
    const shown = showRefusal(form, error)
    // Coin and network are choices of the server's own; their refusal has no field.
    const choice = error instanceof CallFailure && (error.fields.coin || error.fields.chain)
    if (!shown || choice) setFailure(error)
  }

  const submit = proof.submit(({ memo, lookalike: _, compared, ...values }) => {
    if (write.isPending) return
    setFailure(null)
    write.mutate(
      {
        ...values,
        ...(chain.memo && memo ? { memo } : {}),
        ...(compared ? { confirmLookalike: true } : {}),
      },
      { onSuccess: onDone, onError: refuse, onSettled: () => setChecking(false) },
    )
  })

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ChoiceGroup
        label={t('payee.coin')}
        value={coin.coin}
        onChange={pickCoin}
        options={coins.map((one) => ({ value: one.coin, label: one.coin }))}
      />
      <ChoiceGroup
        label={t('payee.network')}
        hint={t('payee.network.hint', { coin: bidiIsolate(coin.coin) })}
        value={chain.chain}
        onChange={pickChain}
        options={coin.chains.map((one) => ({ value: one.chain, label: one.name }))}
      />
      <FormField control={form.control} name="address">
        {({ onChange, ...field }) => (
          <AddressField
            key={chain.chain}
            chain={chain}
            names={names}
            {...field}
            onChange={(value) => {
              onChange(value)
              restart()
            }}
          />
        )}
      </FormField>
      {chain.memo && (
        <FormField control={form.control} name="memo">
          {(field) => (
            <TextField
              label={t('payee.memo')}
              optional
              autoComplete="off"
              ltr
              hint={t('payee.memo.hint')}
              {...field}
            />
          )}
        </FormField>
      )}
      <FormField control={form.control} name="label">
        {(field) => (
          <TextField
            label={t('payee.label')}
            autoComplete="off"
            maxLength={LABEL_LENGTH}
            hint={t('payee.label.hint')}
            {...field}
          />
        )}
      </FormField>
      {lookalike !== null && (
        <div className={styles.lookalike}>
          <Note tone="warning">
            {t('error.payee.lookalike', { label: bidiIsolate(lookalike) })}
          </Note>
          <FormField control={form.control} name="compared">
            {({ value, onChange, error }) => (
              <CheckField checked={value} onChange={onChange} error={error}>
                {t('payee.lookalike.compared')}
              </CheckField>
            )}
          </FormField>
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
        disabled={proof.unset}
      >
        {t(checking ? 'deposit.checking' : 'payee.add.submit')}
      </Button>
    </form>
  )
}
