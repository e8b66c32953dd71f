import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { kindKey } from '@/features/wallet/model/ledger-labels'
import { formatAmount, formatFixed } from '@/format/amount'
import { exactDecimals } from '@/format/column'
import type { DecimalInput } from '@/format/decimal'
import { formatPrice } from '@/format/price'
import { formatOffset } from '@/format/zone'
import { cx } from '@/ui/cx'
import { Logo } from '@/ui/icons/logo'
import { Num } from '@/ui/num'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import { type AccountStatement, MOST_ROWS } from '../../api/statement'
import styles from './statement.module.css'

export type StatementSheetProps = {
  statement: AccountStatement
  period: { startTime: number; endTime: number }
  /** The trader's masked name. */
  name: string
  demo: boolean
  products: readonly Product[]
}

/** Returns the cells of a table's amounts, which are exact and have as many decimals as the longest. */
function moneyOf(amounts: readonly DecimalInput[]) {
  const decimals = exactDecimals(amounts)
  return (value: string) => <Num>{formatFixed(value, decimals)}</Num>
}

/** The statement as a document: account, balances, movements, costs and closed positions. */
export function StatementSheet({ statement, period, name, demo, products }: StatementSheetProps) {
  const { t } = useTranslation()
  const { timeZone } = useTimeStyle()
  const { sums, performance, positions, entries, cut } = statement
  const now = Date.now()
  return (
    <article className={styles.sheet}>
      <header className={styles.head}>
        <Logo height={28} />
        <h1>{t('statement.title')}</h1>
      </header>
      <dl className={styles.facts}>
        <Fact label={t('statement.account')}>
          <Num>{sums.accountId}</Num> · {demo ? t('statement.demo') : t('statement.real')} ·{' '}
          {sums.currency}
        </Fact>
        <Fact label={t('statement.holder')}>{name}</Fact>
        <Fact label={t('statement.period')}>
          <TimeText at={period.startTime} shape="date" /> –{' '}
          <TimeText at={period.endTime - 1} shape="date" />{' '}
          <Num>({formatOffset(period.startTime, timeZone)})</Num>
        </Fact>
        <Fact label={t('statement.made')}>
          <TimeText at={now} />
        </Fact>
      </dl>
      <Balances sums={sums} ended={period.endTime <= now} />
      <Costs total={performance.total} />
      <Positions positions={positions} products={products} />
      <Entries entries={entries} />
      {cut && (
        <p className={styles.note}>{t('statement.cut', { rows: formatAmount(MOST_ROWS) })}</p>
      )}
      <p className={styles.note}>{t('statement.note')}</p>
    </article>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Balances({ sums, ended }: { sums: Wire['Statement']; ended: boolean }) {
  const { t } = useTranslation()
  const money = moneyOf([sums.opening, sums.closing, ...sums.movements.map((one) => one.amount)])
  return (
    <table className={styles.table}>
      <caption>{t('statement.balance')}</caption>
      <tbody>
        <tr>
          <th scope="row">{t('statement.opening')}</th>
          <td />
          <td>{money(sums.opening)}</td>
        </tr>
        {sums.movements.map(({ kind, entries, amount }) => (
          <tr key={kind}>
            <th scope="row">{t(kindKey(kind))}</th>
            <td>
              <Num>{entries}</Num>
            </td>
            <td>{money(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t(ended ? 'statement.closing' : 'statement.now')}</th>
          <td />
          <td>{money(sums.closing)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function Costs({ total }: { total: Wire['Earnings'] }) {
  const { t } = useTranslation()
  const rows = [
    ['trade.profit_unit', total.profit],
    ['trade.commission', total.commission],
    ['charges.heading', total.charges],
  ] as const
  const money = moneyOf([total.net, ...rows.map(([, value]) => value)])
  return (
    <table className={styles.table}>
      <caption>{t('statement.result')}</caption>
      <tbody>
        {rows.map(([label, value]) => (
          <tr key={label}>
            <th scope="row">{t(label)}</th>
            <td>{money(value)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('performance.net')}</th>
          <td>{money(total.net)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

type PositionsProps = { positions: readonly Wire['Position'][]; products: readonly Product[] }

function Positions({ positions, products }: PositionsProps) {
  const { t } = useTranslation()
  if (positions.length === 0) return <p className={styles.note}>{t('history.empty')}</p>
  const money = moneyOf(positions.flatMap((one) => [one.commission, one.swap, one.profit]))
  return (
    <table className={cx(styles.table, styles.positions)}>
      <caption>{t('statement.positions')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('figure.product')}</th>
          <th scope="col">{t('trade.lots_head')}</th>
          <th scope="col">{t('history.open_to_close')}</th>
          <th scope="col">{t('trade.commission')}</th>
          <th scope="col">{t('position.swap')}</th>
          <th scope="col">{t('trade.profit_unit')}</th>
          <th scope="col">{t('history.closed')}</th>
        </tr>
      </thead>
      <tbody>
        {positions.map((position) => {
          const product = products.find(({ productId }) => productId === position.productId)
          const price = (value: string | undefined) =>
            product ? formatPrice(value, product.point) : formatAmount(value)
          return (
            <tr key={position.positionId}>
              <th scope="row">
                {product?.productNo} {t(`trade.${position.side}`)}
              </th>
              <td>
                <Num>{formatAmount(position.lotsOpened)}</Num>
              </td>
              <td>
                <Num>
                  {price(position.openPrice)} → {price(position.price)}
                </Num>
              </td>
              <td>{money(position.commission)}</td>
              <td>{money(position.swap)}</td>
              <td>{money(position.profit)}</td>
              <td>{position.closedAt !== undefined && <TimeText at={position.closedAt} />}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Entries({ entries }: { entries: readonly Wire['LedgerLine'][] }) {
  const { t } = useTranslation()
  if (entries.length === 0) return null
  const money = moneyOf(entries.map(({ amount }) => amount))
  return (
    <table className={styles.table}>
      <caption>{t('statement.entries')}</caption>
      <tbody>
        {entries.map(({ id, kind, time, amount }) => (
          <tr key={id}>
            <th scope="row">{t(kindKey(kind))}</th>
            <td>
              <TimeText at={time} />
            </td>
            <td>{money(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
