import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { reasonOf } from '@/api/reason'
import { useAddressCoins } from '@/features/payee/api/payees'
import { AddForm } from '@/features/payee/components/add-form'
import { WhitelistGate } from '@/features/payee/components/whitelist-gate'
import { useIsDemo } from '@/session/session-store'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { toast } from '@/ui/toast/toast-store'
import accessStyles from '../parts/access-page.module.css'
import { ContactFirst } from '../parts/contact-first'
import { MockAddressesNotice } from '../parts/mock-addresses-notice'
import { Page } from '../parts/page'
import { hasRoute } from '../routes'

const BOOK_PATH = '/addressManage'
const PAYMENT_PATH = '/modifyPayPassword'

/** Adds an address to the address book. */
export default function AddAddress() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  return (
    <div className={accessStyles.column}>
      <Page title={t('payee.add.title')}>
        {demo ? (
          <MockAddressesNotice />
        ) : (
          <ContactFirst>
            <div className={accessStyles.card}>
              <WhitelistGate bookPath={BOOK_PATH}>
                <Adding />
              </WhitelistGate>
            </div>
          </ContactFirst>
        )}
      </Page>
    </div>
  )
}

function Adding() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data, error, isFetching, refetch } = useAddressCoins()
  if (data) {
    return (
      <AddForm
        coins={data}
        paymentPath={hasRoute(PAYMENT_PATH) ? PAYMENT_PATH : undefined}
        bookPath={BOOK_PATH}
        onDone={() => {
          toast.success(t('payee.add.done'))
          void navigate(BOOK_PATH, { replace: true })
        }}
      />
    )
  }
  return error ? (
    <ErrorBlock
      {...reasonOf(error)}
      reassurance={t('payee.reassurance')}
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  ) : (
    <SkeletonRows rows={4} rowHeight={60} />
  )
}
