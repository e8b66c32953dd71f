import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { HashLine } from '@/features/receipt/components/hash-line'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TabGroup } from '@/ui/tab-group'
import { type Chain, chains } from '../api/head-page'
import { useNewestHeads } from '../api/heads'
import { HeadCheck } from './head-check'
import { HeadRow } from './head-row'
import styles from './proof.module.css'

export type HeadsSectionProps = {
  /** The chain shown first. */
  first: Chain
}

/** The newest published heads of prices, fills, charges and terms, live, and the check of their chain. */
export function HeadsSection({ first }: HeadsSectionProps) {
  const { t } = useTranslation()
  const [chain, setChain] = useState<Chain>(first)
  const [reading, setReading] = useState<number | null>(null)
  const { data, error, isFetching, refetch } = useNewestHeads(chain, reading === null)
  return (
    <section className={styles.block}>
      <h2>{t('proof.heads.title')}</h2>
      <p className={styles.text}>{t('proof.heads.text')}</p>
      <TabGroup
        label={t('proof.heads.chain')}
        active={chains.indexOf(chain)}
        list={chains.map((one) => ({ title: t(`proof.heads.${one}`) }))}
        onChange={(index) => {
          setChain(chains[index] ?? 'tape')
          setReading(null)
        }}
        panelId="heads"
      />
      <div
        id="heads"
        role="tabpanel"
        aria-label={t(`proof.heads.${chain}`)}
        className={styles.panel}
      >
        {!data && !error && <SkeletonRows rows={6} rowHeight={44} />}
        {!data && error && (
          <ErrorBlock {...reasonOf(error)} onRetry={() => void refetch()} retrying={isFetching} />
        )}
        {data?.list.length === 0 && <EmptyState text={t(`proof.heads.${chain}_none`)} />}
        {data && data.list.length > 0 && (
          <>
            <ul className={styles.heads}>
              {data.list.map((head) => (
                <HeadRow
                  key={head.batch}
                  chain={chain}
                  head={head}
                  open={head.batch === reading}
                  onToggle={(open) =>
                    setReading((now) => (open ? head.batch : now === head.batch ? null : now))
                  }
                />
              ))}
            </ul>
            <HeadCheck key={chain} chain={chain} />
          </>
        )}
      </div>
      {data && (
        <dl className={styles.key}>
          <HashLine label={t('receipt.chain.key')} hash={data.publicKey} />
        </dl>
      )}
    </section>
  )
}
