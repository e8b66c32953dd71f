import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useNewestHead } from '@/features/proof/api/head-page'
import { formatFixed } from '@/format/amount'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Skeleton } from '@/ui/skeleton'
import { TimeText } from '@/ui/time-text'
import styles from './home-discover.module.css'

/**
 * The newest published hash of trades, and the way to check it. A receipt belongs to its trader; the hash of its
 * batch is public. Before the first trade there is none.
 */
export function HomeSealed() {
  const { t } = useTranslation()
  const { data: head, isPending } = useNewestHead('fills')
  return (
    <>
      {(isPending || head) && (
        <dl className={styles.sealed} aria-busy={isPending}>
          <div>
            <dt>{t('home.proof.newest')}</dt>
            <dd>
              {head ? (
                <>
                  <Num>#{formatFixed(head.batch, 0)}</Num>{' '}
                  <TimeText at={head.sealedAt} shape="timeSeconds" />
                </>
              ) : (
                <Skeleton width={120} />
              )}
            </dd>
          </div>
          <div>
            <dt>{t('home.proof.hash')}</dt>
            <dd>{head ? <code dir="ltr">{head.hash}</code> : <Skeleton width={240} />}</dd>
          </div>
        </dl>
      )}
      <Link to={head ? '/proof?chain=fills' : '/proof'} className={styles.more}>
        {t(head ? 'home.proof.check' : 'home.proof')} <Icon name="forward" size={14} />
      </Link>
    </>
  )
}
