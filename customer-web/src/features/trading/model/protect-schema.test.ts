import { expect, test } from 'vitest'
import { safeParse } from 'zod/mini'
import { protectSchema } from './protect-schema'

const off = { on: false, price: '', amount: null, text: null }
const form = { stopLoss: off, takeProfit: off, trailingStop: { on: false, price: '' } }

test('what is on is sent, what is off is cleared', () => {
  expect(safeParse(protectSchema, form).data).toEqual({})
  const set = {
    stopLoss: { ...off, on: true, price: '1.15.' },
    takeProfit: { ...off, price: '1.2' },
    trailingStop: { on: true, price: '0.005' },
  }
  expect(safeParse(protectSchema, set).data).toEqual({ stopLoss: '1.15', trailingStop: '0.005' })
})

test.each([
  ['stopLoss', { ...off, on: true }, 'position.protect.missing'],
  ['stopLoss', { ...off, on: true, price: '0' }, 'position.protect.missing'],
  ['takeProfit', { ...off, on: true }, 'position.protect.missing'],
  ['trailingStop', { on: true, price: '' }, 'position.trail.missing'],
  ['trailingStop', { on: true, price: '0.00' }, 'position.trail.missing'],
])('%s that is on without a value is a problem of its field', (field, value, message) => {
  const { error } = safeParse(protectSchema, { ...form, [field]: value })
  expect(error?.issues.map((issue) => [...issue.path, issue.message])).toEqual([[field, message]])
})
