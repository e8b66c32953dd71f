import { useSyncExternalStore } from 'react'
import { truncatePrice } from '@/format/price'
import { changePercent, type Product } from '../api/products'
import type { ThrottledQuote } from './throttled-quote'

/** The data of a row's cells, which follow it only while the row is visible. */
export type LiveRow = { product: Product; source: ThrottledQuote; visible: boolean }

export const noSubscription = () => () => {}

/** One figure of a row. Only the cell that shows it renders again when it changes. */
export function useRowFigure<T extends string | number | boolean | undefined>(
  row: LiveRow,
  figure: (row: LiveRow) => T,
): T {
  return useSyncExternalStore(row.visible ? row.source.listen : noSubscription, () => figure(row))
}

/** The live price of a side; undefined until the first quote of the product. */
export const liveBid = ({ source }: LiveRow) => source.get()?.bid
export const liveAsk = ({ source }: LiveRow) => source.get()?.ask

export const bidOf = (row: LiveRow) => liveBid(row) ?? row.product.sellPrice
export const spreadOf = ({ source, product }: LiveRow) => source.get()?.spread ?? product.spread

/** Market time of the latest quote, ms. */
export const timeOf = ({ source }: LiveRow) => source.get()?.time

const dayOf = ({ source, product }: LiveRow) => source.getDay() ?? product

/** The change over 24 hours in percent, truncated to the two decimals shown; undefined while unknown. */
export function changeOf(row: LiveRow): string | undefined {
  const { open24Hours } = dayOf(row)
  return open24Hours ? truncatePrice(changePercent(open24Hours, bidOf(row)), 2) : undefined
}

// Tickers arrive every 5 s, so a bid outside their range is already a new high or low.
export const highOf = (row: LiveRow) =>
  outermost(dayOf(row).high24Hours, bidOf(row), (price, known) => price > known)
export const lowOf = (row: LiveRow) =>
  outermost(dayOf(row).low24Hours, bidOf(row), (price, known) => price < known)

function outermost(
  known: string | undefined,
  bid: string | undefined,
  beyond: (price: number, known: number) => boolean,
): string | undefined {
  return known && bid && beyond(Number(bid), Number(known)) ? bid : known
}
