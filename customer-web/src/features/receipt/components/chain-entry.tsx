import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { Disclosure } from '@/ui/disclosure'
import { Num } from '@/ui/num'
import { leafQuery } from '../api/receipt'
import type { Charge, Fill, ProvedQuote } from '../model/evidence'
import { HashLine } from './hash-line'
import styles from './receipt.module.css'

export type ChainEntryProps = { of: Charge | Fill | ProvedQuote; publicKey: string }

const ofQuote = {
  batch: 'receipt.chain.this',
  leaf: 'receipt.chain.leaf',
  root: 'receipt.chain.root',
} as const
const ofFill = {
  batch: 'receipt.chain.this_fill',
  leaf: 'receipt.chain.leaf_fill',
  root: 'receipt.chain.root_fill',
} as const
const ofCharge = {
  batch: 'receipt.chain.this_charge',
  leaf: 'receipt.chain.leaf_charge',
  root: 'receipt.chain.root_charge',
} as const

/** The chain entry of a fill, charge or quote: the previous batch, its own batch, and all hashes on request. */
export function ChainEntry({ of, publicKey }: ChainEntryProps) {
  const { t } = useTranslation()
  const { data: leaf } = useQuery(leafQuery(of))
  const { head, path = [] } = of
  const words = 'seq' in of ? ofQuote : 'fillId' in of ? ofFill : ofCharge
  return (
    <div className={styles.chained}>
      <h4 className={styles.small}>
        {'seq' in of ? (
          <Num>
            {of.productNo} #{formatFixed(of.seq, 0)}
          </Num>
        ) : 'fillId' in of ? (
          t('receipt.chain.fill', { fill: of.fillId })
        ) : (
          t('receipt.chain.charge', { charge: of.chargeId })
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
              {t(words.batch)}
            </div>
          </div>
          <Disclosure
            className={styles.more}
            panelClassName={styles.marks}
            head={t('receipt.chain.all')}
          >
            <dl>
              {leaf && <HashLine label={t(words.leaf)} hash={leaf} />}
              <HashLine
                label={`${t(words.root, {
                  batch: formatFixed(head.batch, 0),
                  sealed: formatFixed(head.count, 0),
                })} · ${t('receipt.chain.path', { count: path.length })}`}
                hash={head.root}
              />
              <HashLine label={t('receipt.chain.previous')} hash={head.previous} />
              <HashLine label={t('receipt.chain.head')} hash={head.hash} />
              <HashLine label={t('receipt.chain.signature')} hash={head.signature} />
              <HashLine label={t('receipt.chain.key')} hash={publicKey} />
            </dl>
          </Disclosure>
        </>
      )}
    </div>
  )
}
