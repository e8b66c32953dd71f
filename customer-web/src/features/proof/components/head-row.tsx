import { useTranslation } from 'react-i18next'
import { HashLine } from '@/features/receipt/components/hash-line'
import { formatFixed } from '@/format/amount'
import { Disclosure } from '@/ui/disclosure'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import type { Chain } from '../api/head-page'
import type { SealedHead } from '../api/heads'
import styles from './proof.module.css'

export type HeadRowProps = {
  chain: Chain
  head: SealedHead
  open: boolean
  onToggle: (open: boolean) => void
}

/** A published head: batch, time, number of sealed entries, and the end of its hash; expands to the full head. */
export function HeadRow({ chain, head, open, onToggle }: HeadRowProps) {
  const { t } = useTranslation()
  return (
    <li>
      <Disclosure
        className={styles.head}
        panelClassName={styles.hashes}
        open={open}
        onToggle={onToggle}
        head={
          <>
            <b>
              <Num>#{formatFixed(head.batch, 0)}</Num>
            </b>
            <TimeText at={head.sealedAt} shape="timeSeconds" />
            <span className={styles.sealed}>
              {t(`proof.heads.${chain}_in`, {
                count: head.count,
                sealed: formatFixed(head.count, 0),
              })}
            </span>
            <code>
              <bdi dir="ltr">…{head.hash.slice(-8)}</bdi>
            </code>
          </>
        }
      >
        <dl>
          <HashLine label={t('receipt.chain.head')} hash={head.hash} />
          <HashLine label={t('receipt.chain.previous')} hash={head.previous} />
          <HashLine label={t('proof.heads.root')} hash={head.root} />
          <HashLine label={t('receipt.chain.signature')} hash={head.signature} />
        </dl>
      </Disclosure>
    </li>
  )
}
