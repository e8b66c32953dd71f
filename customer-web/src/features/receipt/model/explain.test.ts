import { expect, test } from 'vitest'
import type { Receipt } from './evidence'
import { ratesOf, sumsOf } from './explain'
import fixtures from './receipts.fixture.json'

const receipts = fixtures as unknown as Record<string, Receipt>

function formulas(name: string): string[] {
  const receipt = receipts[name]
  if (!receipt) throw new Error(`no fixture ${name}`)
  return sumsOf(receipt).map(
    ({ name: sum, formula, result, unit }) => `${sum}: ${formula} = ${result} ${unit}`,
  )
}

test('an opening shows what the deal is worth, its margin and its commission', () => {
  expect(formulas('XAUUSD open, commission by lot')).toMatchInlineSnapshot(`
    [
      "value: 0.05 × 100 XAU × 1,309.81 = 6,549.05 USD",
      "margin: 0.05 × 100 XAU × 1,309.81 ÷ 100 = 65.4905 USDT",
      "commission: 0.05 × 3.50 = 0.175 USDT",
    ]
  `)
})

test('a forex margin is converted at the order’s own price, or at the middle of another product', () => {
  expect(formulas('EURUSD open, margin at its own price')[1]).toMatchInlineSnapshot(
    `"margin: 0.30 × 100,000 EUR × 1.39343 ÷ 100 = 418.029 USDT"`,
  )
  expect(formulas('EURJPY open, margin at the EURUSD mid')[1]).toMatchInlineSnapshot(
    `"margin: 0.20 × 100,000 EUR × 1.393420 ÷ 100 = 278.684 USDT"`,
  )
})

test('a close shows its profit, converted, and its share of the margin', () => {
  expect(formulas('EURJPY part closed')).toMatchInlineSnapshot(`
    [
      "profit: (142.128 − 142.120) × 0.07 × 100,000 EUR ÷ 102.4085 = +0.54683 USDT",
      "released: 278.684 × 0.07 ÷ 0.20 = 97.5394 USDT",
      "commission: 0.07 × 0 = 0 USDT",
    ]
  `)
  expect(formulas('EURJPY rest closed')[1]).toMatchInlineSnapshot(`"released:  = 181.1446 USDT"`)
})

test('a commission by worth names its minimum', () => {
  const receipt = receipts['AAPL open, commission by its worth'] as Receipt
  expect(sumsOf(receipt).at(-1)).toMatchInlineSnapshot(`
    {
      "formula": "10 × 1 AAPL × 599.19 × 5 ÷ 10,000",
      "minimum": "1",
      "name": "commission",
      "result": "2.99595",
      "unit": "USDT",
    }
  `)
})

test('each rate is named once with the quote it was read from', () => {
  const receipt = receipts['EURJPY open, margin at the EURUSD mid'] as Receipt
  const lines = ratesOf(receipt).map(
    ({ from, to, rate, quote }) => `1 ${from} = ${rate} ${to} (${quote.productNo})`,
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "1 USD = 102.4170 JPY (USDJPY)",
      "1 EUR = 1.393420 USD (EURUSD)",
    ]
  `)
  expect(ratesOf(receipts['AAPL closed'] as Receipt)).toEqual([])
})
