import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Restrictions } from '@/features/restriction/components/restrictions'
import { useSecurity } from '@/features/security/api/security'
import styles from '@/features/security/components/security.module.css'
import { SecurityList } from '@/features/security/components/security-list'
import { useIsGuest } from '@/features/session/model/session-store'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Page } from '../shell/page'
import { RealOnly } from './real-only'

const PAYMENT_PATH = '/modifyPayPassword'

/** What guards the account: the payment password, where codes go, the last log-in, and what holds withdrawals. */
export default function SecuritySet() {
  const { t } = useTranslation()
  const guest = useIsGuest()
  return <Page title={t('security.title')}>{guest ? <RealOnly /> : <Guarded />}</Page>
}

function Guarded() {
  const { t } = useTranslation()
  const { data, error, isFetching, refetch } = useSecurity()
  if (data)
    return (
      <>
        <Restrictions />
        <SecurityList security={data} paymentPath={PAYMENT_PATH} />
      </>
    )
  return (
    <div className={styles.flow}>
      <section className={styles.block}>
        {error ? (
          <ErrorBlock
            {...reasonOf(error)}
            reassurance={t('security.reassurance')}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <SkeletonRows rows={3} rowHeight={60} />
        )}
      </section>
    </div>
  )
}
