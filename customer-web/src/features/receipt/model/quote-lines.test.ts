import { expect, test } from 'vitest'
import { drawQuotes } from './quote-lines'

const quote = (seq: number, time: number, bid: string, ask: string) => ({ seq, time, bid, ask })
const middle = quote(8, 1_500, '1.1001', '1.1004')
const three = [quote(7, 1_000, '1.1000', '1.1002'), middle, quote(9, 2_000, '1.1000', '1.1002')]

test('bid and ask are steps between the lowest bid and the highest ask, and the quote has its place', () => {
  expect(drawQuotes(three, middle)).toEqual({
    bid: 'M0 94.00H50.00V72.00H100.00V94.00',
    ask: 'M0 50.00H50.00V6.00H100.00V50.00',
    at: 50,
    markBid: expect.closeTo(72),
    markAsk: expect.closeTo(6),
  })
})

test('equal prices are a line in the middle', () => {
  const flat = [quote(1, 0, '2', '2'), quote(2, 10, '2', '2')]
  expect(drawQuotes(flat, quote(2, 10, '2', '2'))?.bid).toBe('M0 50.00H100.00V50.00')
})

test('nothing is drawn without the quote, of one quote, or of one moment', () => {
  expect(drawQuotes(three, { ...middle, seq: 6 })).toBeNull()
  expect(drawQuotes(three.slice(1, 2), middle)).toBeNull()
  const one = quote(1, 5, '1', '2')
  expect(drawQuotes([one, { ...one, seq: 2 }], one)).toBeNull()
})

test('nothing is drawn when the tape has the quote with another time or price', () => {
  for (const other of [{ time: 1_501 }, { bid: '1.1000' }, { ask: '1.1003' }])
    expect(drawQuotes(three, { ...middle, ...other })).toBeNull()
})
