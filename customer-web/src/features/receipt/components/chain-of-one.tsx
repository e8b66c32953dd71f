import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { Num } from '@/ui/num'
import { leafQuery } from '../api/receipt'
import type { Fill, ProvedQuote } from '../model/evidence'
import { HashLine } from './hash-line'
import styles from './receipt.module.css'

export type ChainOfOneProps = { of: Fill | ProvedQuote; publicKey: string }

/** The place of one deal or one quote in its chain: the batch before, its own, and all their marks on request. */
export function ChainOfOne({ of, publicKey }: ChainOfOneProps) {
  const { t } = useTranslation()
  const { data: leaf } = useQuery(leafQuery(of))
  const { head, path = [] } = of
  const isFill = 'fillId' in of
  return (
    <div className={styles.chained}>
      <h4 className={styles.small}>
        {isFill ? (
          t('receipt.chain.fill', { fill: of.fillId })
        ) : (
          <Num>
            {of.productNo} #{formatFixed(of.seq, 0)}
          </Num>
        )}
      </h4>
      {!head && <p className={styles.text}>{t('receipt.chain.unsealed')}</p>}
      {head && (
        <>
          <div className={styles.chain}>
            <div>
              <code>
                <bdi dir="ltr">…{head.previous.slice(-8)}</bdi>
              </code>
              {t('receipt.chain.before')}
            </div>
            <i aria-hidden />
            <div className={styles.this}>
              <code>
                <bdi dir="ltr">…{head.hash.slice(-8)}</bdi>
              </code>
              {t(isFill ? 'receipt.chain.this_fill' : 'receipt.chain.this')}
            </div>
          </div>
          <details className={styles.marks}>
            <summary>{t('receipt.chain.all')}</summary>
            <dl>
              {leaf && (
                <HashLine
                  label={t(isFill ? 'receipt.chain.leaf_fill' : 'receipt.chain.leaf')}
                  hash={leaf}
                />
              )}
              <HashLine
                label={`${
                  isFill
                    ? t('receipt.chain.root_fill', {
                        batch: formatFixed(head.batch, 0),
                        fills: formatFixed(head.count, 0),
                      })
                    : t('receipt.chain.root', {
                        batch: formatFixed(head.batch, 0),
                        quotes: formatFixed(head.count, 0),
                      })
                } · ${t('receipt.chain.path', { count: path.length })}`}
                hash={head.root}
              />
              <HashLine label={t('receipt.chain.previous')} hash={head.previous} />
              <HashLine label={t('receipt.chain.head')} hash={head.hash} />
              <HashLine label={t('receipt.chain.signature')} hash={head.signature} />
              <HashLine label={t('receipt.chain.key')} hash={publicKey} />
            </dl>
          </details>
        </>
      )}
    </div>
  )
}
