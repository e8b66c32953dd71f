import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { formatDate } from '@/format/time'
import { withDots } from '@/storage/mask-name'
import block from '@/ui/block.module.css'
import { ErrorBlock } from '@/ui/error-block'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import { useSecurity } from '../api/security'

/** How the account is protected, at a glance: where codes go, the payment password, and the last log-in. */
export function SecuritySummary() {
  const { t } = useTranslation()
  const title = useId()
  const style = useTimeStyle()
  const { data, error, isFetching, refetch } = useSecurity()
  return (
    <section className={block.block} aria-labelledby={title}>
      <h2 id={title}>{t('security.title')}</h2>
      {!data && !error && <SkeletonRows rows={4} rowHeight={25} />}
      {error && (
        <ErrorBlock
          {...reasonOf(error)}
          reassurance={t('security.reassurance')}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data && (
        <dl className={block.pairs}>
          <div>
            <dt>{t('session.mail')}</dt>
            <dd>{data.mail ? <Num>{withDots(data.mail)}</Num> : t('security.contact.unset')}</dd>
          </div>
          <div>
            <dt>{t('session.phone')}</dt>
            <dd>{data.phone ? <Num>{withDots(data.phone)}</Num> : t('security.contact.unset')}</dd>
          </div>
          <div>
            <dt>{t('security.payment')}</dt>
            <dd>
              {data.payPasswordAt === undefined
                ? t('security.contact.unset')
                : t('security.payment.since', { date: formatDate(data.payPasswordAt, style) })}
            </dd>
          </div>
          {data.lastLoginAt !== undefined && (
            <div>
              <dt>{t('security.last_login')}</dt>
              <dd>
                <TimeText at={data.lastLoginAt} />
              </dd>
            </div>
          )}
        </dl>
      )}
    </section>
  )
}
