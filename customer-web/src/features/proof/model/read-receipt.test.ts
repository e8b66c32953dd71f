import { expect, test } from 'vitest'
import fixtures from '@/features/receipt/model/receipts.fixture.json'
import { readReceipt } from './read-receipt'

const receipt = fixtures['EURJPY rest closed']

test('reads what was downloaded', () => {
  expect(readReceipt(JSON.stringify(receipt))).toEqual(receipt)
})

test.each([
  ['nothing', ''],
  ['no JSON', 'receipt'],
  ['a list', '[]'],
  ['nothing in it', '{}'],
  ['another format', JSON.stringify({ ...receipt, format: 'candor-receipt/2' })],
  ['no deal', JSON.stringify({ ...receipt, fill: undefined })],
  ['no quote', JSON.stringify({ ...receipt, quote: null })],
  ['earlier deals that are none', JSON.stringify({ ...receipt, earlier: [1] })],
  [
    'a deal not sealed yet',
    JSON.stringify({ ...receipt, fill: { ...receipt.fill, head: undefined } }),
  ],
])('refuses %s', (_, text) => {
  expect(readReceipt(text)).toBeNull()
})
