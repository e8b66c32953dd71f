import { expect, test } from 'vitest'
import chargeFixtures from '@/features/receipt/model/charge-receipts.fixture.json'
import fixtures from '@/features/receipt/model/receipts.fixture.json'
import { readReceipt } from './read-receipt'

const receipt = fixtures['EURJPY rest closed']
const stopped = fixtures['EURUSD closed by stop-out']
const charge = chargeFixtures['AAPL, a dividend']

test('reads what was downloaded', () => {
  expect(readReceipt(JSON.stringify(receipt))).toEqual(receipt)
})

test('reads the proof of a charge', () => {
  expect(readReceipt(JSON.stringify(charge))).toEqual(charge)
})

test.each([
  ['nothing', ''],
  ['no JSON', 'receipt'],
  ['a list', '[]'],
  ['nothing in it', '{}'],
  ['another format', JSON.stringify({ ...receipt, format: 'candor-receipt/2' })],
  ['a charge as a deal', JSON.stringify({ ...charge, format: 'candor-receipt/1' })],
  ['no charge', JSON.stringify({ ...charge, charge: undefined })],
  ['deals of a charge that are none', JSON.stringify({ ...charge, fills: [1] })],
  [
    'a charge not sealed yet',
    JSON.stringify({ ...charge, charge: { ...charge.charge, head: undefined } }),
  ],
  [
    'a standing that is none',
    JSON.stringify({ ...stopped, fill: { ...stopped.fill, standing: { call: {} } } }),
  ],
  ['quotes that are none', JSON.stringify({ ...stopped, held: [1] })],
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
