import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useBankAccounts } from '@/features/payee/api/banks'
import { useAddressBook, useAddressCoins } from '@/features/payee/api/payees'
import { useRestrictions } from '@/features/restriction/api/restrictions'
import { Restrictions } from '@/features/restriction/components/restrictions'
import { useSecurity } from '@/features/security/api/security'
import { useAccountKey } from '@/features/wallet/api/money'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import {
  useRecentWithdrawals,
  useWithdrawalTerms,
  type WithdrawalTerms,
  type WithdrawalWay,
} from '../api/withdrawals'
import { draftOf, saveDraft } from '../model/draft'
import { isUnderWay } from '../model/states'
import { obstaclesOf } from '../model/sums'
import { BankPicker } from './bank-picker'
import { ObstacleBlock, type ObstaclePaths } from './obstacle-block'
import { TermsBlocks } from './terms-blocks'
import { ToAddress } from './to-address'
import { ToBank, type ToBankProps } from './to-bank'
import { WithdrawalRow } from './withdrawal-row'

export type NewWithdrawalProps = {
  pathOf: (withdrawalId: number) => string
  /** The path where a bank account, or an address, is saved. */
  addPath: string
  addAddressPath: string
  paths: ObstaclePaths
}

/** The withdrawal start page, and what stands in the way of a withdrawal; withdrawals under way are listed above. */
export function NewWithdrawal({ pathOf, addPath, addAddressPath, paths }: NewWithdrawalProps) {
  const { t } = useTranslation()
  const terms = useWithdrawalTerms()
  const security = useSecurity()
  const restricted = useRestrictions('withdraw').length > 0
  const underWay = useRecentWithdrawals().data?.list.filter(({ state }) => isUnderWay(state)) ?? []
  const failed =
    !terms.data && terms.isError ? terms : !security.data && security.isError ? security : null
  return (
    <>
      {underWay.length > 0 && (
        <section className={styles.block}>
          <h2>{t('deposit.open.title')}</h2>
          <ul className={styles.rows}>
            {underWay.map((one) => (
              <WithdrawalRow
                key={one.withdrawId}
                withdrawal={one}
                among={underWay}
                to={pathOf(one.withdrawId)}
              />
            ))}
          </ul>
        </section>
      )}
      <Restrictions kind="withdraw" />
      {terms.data && restricted ? (
        <TermsBlocks terms={terms.data} />
      ) : terms.data && security.data ? (
        <Possible
          terms={terms.data}
          passwordSet={security.data.payPasswordSet}
          pathOf={pathOf}
          addPath={addPath}
          addAddressPath={addAddressPath}
          paths={paths}
        />
      ) : (
        <section className={styles.block}>
          {failed ? (
            <ErrorBlock
              {...reasonOf(failed.error)}
              reassurance={t('deposit.load_reassurance')}
              onRetry={() => void failed.refetch()}
              retrying={failed.isFetching}
            />
          ) : (
            <SkeletonRows rows={3} rowHeight={80} />
          )}
        </section>
      )}
    </>
  )
}

type PossibleProps = NewWithdrawalProps & { terms: WithdrawalTerms; passwordSet: boolean }

function Possible({ terms, passwordSet, pathOf, addPath, addAddressPath, paths }: PossibleProps) {
  const { t } = useTranslation()
  const owner = useAccountKey()
  const [kind, setKind] = useState(() => draftOf(owner).kind ?? 'bank')
  const obstacles = obstaclesOf(terms, passwordSet)
  const blocks = obstacles
    // The form says itself until when it is locked.
    .filter((obstacle) => obstacle !== 'held' || !terms.verified)
    .map((obstacle) => (
      <ObstacleBlock key={obstacle} obstacle={obstacle} terms={terms} paths={paths} />
    ))
  if (!terms.verified) {
    return (
      <>
        {blocks}
        <TermsBlocks terms={terms} />
        <SavedBanks paymentPath={paths.payment} />
      </>
    )
  }
  const way = terms.ways.find((one) => one.kind === kind) ?? terms.ways[0]
  if (!way) {
    return (
      <>
        <section className={styles.block}>
          <EmptyState icon="info" text={t('error.module_disabled')} />
        </section>
        <TermsBlocks terms={terms} />
      </>
    )
  }
  const form = { terms, way, pathOf, paymentPath: paths.payment }
  const choose = (next: WithdrawalWay['kind']) => {
    setKind(next)
    saveDraft(owner, { kind: next })
  }
  return (
    <>
      {blocks}
      {terms.ways.length > 1 && (
        <section className={styles.block}>
          <ChoiceGroup
            label={t('withdraw.way.title')}
            value={way.kind}
            onChange={choose}
            options={terms.ways.map((one) => ({
              value: one.kind,
              label: t(`withdraw.way.${one.kind}`),
              explanation: `${t(`withdraw.way.${one.kind}_note`)} ${t('withdraw.sum.arrival')}: ${t('withdraw.sum.arrival_hours', { hours: one.arrivalHours })}`,
            }))}
          />
        </section>
      )}
      {way.kind === 'standard' ? (
        <Addresses key="address" {...form} addPath={addAddressPath} />
      ) : (
        <Banks key={way.kind} {...form} addPath={addPath} />
      )}
    </>
  )
}

type FormProps = Omit<ToBankProps, 'banks'>

/** The saved bank accounts with the form, or a link to add the first one. */
function Banks(form: FormProps) {
  const { t } = useTranslation()
  const banks = useBankAccounts()
  if (banks.data && banks.data.length > 0) return <ToBank {...form} banks={banks.data} />
  return (
    <>
      <Missing
        query={banks}
        text={t('payee.bank.empty')}
        add={t('payee.bank.add.open')}
        addPath={form.addPath}
      />
      <TermsBlocks terms={form.terms} />
    </>
  )
}

/** The saved addresses of the account's currency with the form, or a link to add the first one. */
function Addresses(form: FormProps) {
  const { t } = useTranslation()
  const book = useAddressBook()
  const coins = useAddressCoins()
  const addresses =
    book.data?.list.filter(
      ({ coin, state }) => coin === form.terms.currency && state !== 'removed',
    ) ?? []
  if (addresses.length > 0) {
    return <ToAddress {...form} addresses={addresses} coins={coins.data ?? []} />
  }
  return (
    <>
      <Missing
        query={book}
        text={t('withdraw.to.no_address', { currency: form.terms.currency })}
        add={t('payee.add.open')}
        addPath={form.addPath}
      />
      <TermsBlocks terms={form.terms} />
    </>
  )
}

type MissingProps = {
  query: Pick<UseQueryResult, 'isPending' | 'isError' | 'isFetching' | 'data' | 'error' | 'refetch'>
  text: string
  add: string
  addPath: string
}

/** Shown instead of payees: loading, failed, or none saved. */
function Missing({ query, text, add, addPath }: MissingProps) {
  const { t } = useTranslation()
  return (
    <section className={styles.block}>
      {query.isPending && <SkeletonRows rows={2} rowHeight={80} />}
      {query.isError && !query.data && (
        <ErrorBlock
          {...reasonOf(query.error)}
          reassurance={t('payee.bank.reassurance')}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      {query.data !== undefined && (
        <EmptyState
          icon="wallet"
          text={text}
          action={
            <Button variant="primary" to={addPath}>
              {add}
            </Button>
          }
        />
      )}
    </section>
  )
}

/** The saved bank accounts of a trader who is not verified yet; they can be viewed and deleted. */
function SavedBanks({ paymentPath }: { paymentPath?: string | undefined }) {
  const { data } = useBankAccounts()
  if (!data || data.length === 0) return null
  return (
    <section className={styles.block}>
      <BankPicker banks={data} paymentPath={paymentPath} />
    </section>
  )
}
