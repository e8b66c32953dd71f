import { expect, test } from 'vitest'
import { drawQuotes } from './quote-lines'

const quote = (seq: number, time: number, bid: string, ask: string) => ({ seq, time, bid, ask })
const three = [
  quote(7, 1_000, '1.1000', '1.1002'),
  quote(8, 1_500, '1.1001', '1.1004'),
  quote(9, 2_000, '1.1000', '1.1002'),
]

test('bid and ask are steps between the lowest bid and the highest ask, and the quote has its place', () => {
  expect(drawQuotes(three, 8)).toEqual({
    bid: 'M0 94.00H50.00V72.00H100.00V94.00',
    ask: 'M0 50.00H50.00V6.00H100.00V50.00',
    at: 50,
    markBid: expect.closeTo(72),
    markAsk: expect.closeTo(6),
  })
})

test('equal prices are a line in the middle', () => {
  const flat = [quote(1, 0, '2', '2'), quote(2, 10, '2', '2')]
  expect(drawQuotes(flat, 2)?.bid).toBe('M0 50.00H100.00V50.00')
})

test('nothing is drawn without the quote, of one quote, or of one moment', () => {
  expect(drawQuotes(three, 6)).toBeNull()
  expect(drawQuotes(three.slice(0, 1), 7)).toBeNull()
  expect(drawQuotes([quote(1, 5, '1', '2'), quote(2, 5, '1', '2')], 1)).toBeNull()
})
