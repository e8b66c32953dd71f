import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { type AddressBook, useAddressBook, useAddressCoins } from '@/features/payee/api/payees'
import styles from '@/features/payee/components/payee.module.css'
import { PayeeCard } from '@/features/payee/components/payee-card'
import { WhitelistCard } from '@/features/payee/components/whitelist-card'
import { useIsDemo } from '@/session/session-store'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { Note } from '@/ui/note'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { MockAddressesNotice } from '../parts/mock-addresses-notice'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

const ADD_PATH = '/addAddress'
const PAYMENT_PATH = '/modifyPayPassword'

/** The address book and its whitelist setting. */
export default function AddressManage() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  return (
    <Page title={t('payee.title')} wide={!demo}>
      <div className={cx(styles.flow, !demo && styles.wide)}>
        {demo ? <MockAddressesNotice /> : <Book />}
      </div>
    </Page>
  )
}

function Book() {
  const { data, error, isFetching, refetch } = useAddressBook()
  const { t } = useTranslation()
  if (data) return <Addresses book={data} />
  return (
    <section className={styles.block}>
      {error ? (
        <ErrorBlock
          {...reasonOf(error)}
          reassurance={t('payee.reassurance')}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonRows rows={3} rowHeight={120} />
      )}
    </section>
  )
}

function Addresses({ book }: { book: AddressBook }) {
  const { t } = useTranslation()
  const coins = useAddressCoins().data
  const chains = coins?.flatMap((coin) => coin.chains)
  const paymentPath = hasRoute(PAYMENT_PATH) ? PAYMENT_PATH : undefined
  const rule = useRef<HTMLInputElement>(null)
  const living = book.list.filter(({ state }) => state !== 'removed').length
  const closed = book.whitelistOnly
  const add = (
    <Button
      variant="primary"
      {...(closed ? { onClick: () => rule.current?.focus() } : { to: ADD_PATH })}
    >
      {t(closed ? 'payee.only.open' : 'payee.add.open')}
    </Button>
  )
  return (
    <div className={styles.columns}>
      <div className={styles.aside}>
        <WhitelistCard ref={rule} book={book} paymentPath={paymentPath} />
      </div>
      <div className={styles.main}>
        {book.list.length === 0 ? (
          <section className={styles.block}>
            <EmptyState
              icon="wallet"
              text={t(closed ? 'payee.only.closed' : 'payee.empty')}
              action={add}
            />
          </section>
        ) : (
          <>
            <div className={styles.count}>
              <span className={styles.small}>
                {t('payee.count', { saved: living, limit: book.limit })}
              </span>
              {add}
            </div>
            {closed && <Note>{t('payee.only.closed')}</Note>}
            <ul className={styles.list}>
              {book.list.map((saved) => (
                <PayeeCard
                  key={saved.addressId}
                  saved={saved}
                  chain={chains?.find(({ chain }) => chain === saved.chain)}
                  paymentPath={paymentPath}
                />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
