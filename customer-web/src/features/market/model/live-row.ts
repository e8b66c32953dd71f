import { useSyncExternalStore } from 'react'
import { truncatePrice } from '@/format/price'
import { changePercent, type Product } from '../api/products'
import type { ThrottledQuote } from './throttled-quote'

/** What the cells of a row draw from. They follow it only while the row is on screen. */
export type LiveRow = { product: Product; source: ThrottledQuote; visible: boolean }

export const noSubscription = () => () => {}

/** One figure of a row. The cell that shows it renders anew when the figure changes, and nothing else does. */
export function useRowFigure<T extends string | number | boolean | undefined>(
  row: LiveRow,
  figure: (row: LiveRow) => T,
): T {
  return useSyncExternalStore(row.visible ? row.source.listen : noSubscription, () => figure(row))
}

/** The live price of a side; undefined until the product's first line has come. */
export const liveBid = ({ source }: LiveRow) => source.get()?.bid
export const liveAsk = ({ source }: LiveRow) => source.get()?.ask

export const bidOf = (row: LiveRow) => liveBid(row) ?? row.product.sellPrice
export const spreadOf = ({ source, product }: LiveRow) => source.get()?.spread ?? product.spread

/** Market time of the newest line, ms. */
export const timeOf = ({ source }: LiveRow) => source.get()?.time

const dayOf = ({ source, product }: LiveRow) => source.getDay() ?? product

/** The change over 24 hours in percent, cut to the two decimals that are shown; undefined while unknown. */
export function changeOf(row: LiveRow): string | undefined {
  const { open24Hours } = dayOf(row)
  return open24Hours ? truncatePrice(changePercent(open24Hours, bidOf(row)), 2) : undefined
}

// The tickers come every 5 s: a bid outside of them is already a new high or low.
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
